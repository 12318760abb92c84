/**
 * `effect/call` and `flow/call` (*Values and errors*): params judged, an operation joined or refused by its identity,
 * the exact contract and the input judged before the provider is reached, and its answer judged before anyone sees it.
 * What comes out is the result or the JSON-RPC error, and never an exception for what a provider did.
 */

import { FlowError, isFlowError } from "../json/errors.ts";
import { isWellFormed } from "../json/text.ts";
import { sha256Hex } from "../signature/hash.ts";
import { admitJson1 } from "./admit.ts";
import type { CallCode, RejectionCode } from "./codes.ts";
import { isContract } from "./descriptor.ts";
import { callFailure, detailsOf, stoppedBy } from "./failure.ts";
import { isLocalName, isOperationId, sameContract } from "./identity.ts";
import { canonicalJson1 } from "./json1.ts";
import { freezeJson1, isObject, type Json1Object, type Json1Value } from "./model.ts";
import type { EffectSlot, FlowProvider } from "./providers.ts";
import { scalarLength } from "./schema1/cost.ts";
import type { CompiledSchema, Diagnostic } from "./schema1/schema.ts";

/** A JSON-RPC error. `data` is there for `-32000` only. */
export interface RpcError {
  /** `-32000` with a code of the contract in `data`; `-32601` and `-32602` as JSON-RPC has them. */
  readonly code: -32601 | -32602 | -32000;
  /** For people. */
  readonly message: string;
  /** The code of R35's last list, and `details` where there is more to tell. */
  readonly data?: { readonly code: CallCode; readonly details?: Json1Value };
}

/** The tagged value of `effect/call`, or what `flow/call` came to. Frozen, since every caller of an operation gets it. */
export type CallResult =
  | { readonly value: Json1Value }
  | { readonly error: { readonly name: string; readonly data: Json1Value } }
  | { readonly outcome: string; readonly output: Json1Value };

/** A result or an error, exactly one of them. */
export type CallAnswer =
  | { readonly result: CallResult; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: RpcError };

/** What the calls of one owner reach. */
export interface ContractCallsOptions {
  /** Slots of `effect/call`, as `bindSlots` gives them. */
  readonly effects?: Readonly<Record<string, EffectSlot>>;
  /** Slots of `flow/call`. */
  readonly flows?: Readonly<Record<string, FlowProvider>>;
  /**
   * The most operations that are remembered, 10,000 where absent. None is ever forgotten, since its id would then run
   * again; past this many, new ones are `RESOURCE_EXHAUSTED`.
   */
  readonly operations?: number;
  /** Told of whatever a provider rejected with that is no `FlowError` of a call code. Callers get no word of it. */
  readonly onFault?: (fault: unknown, operationId: string) => void;
}

/** The calls of one owner, a run for example. */
export interface ContractCalls {
  /**
   * Answers one JSON-RPC request.
   * @param method `effect/call` or `flow/call`.
   * @param params Plain data; `input` may be an unread `Json1Text`.
   * @param signal Ends the waiting of this caller, with `DEADLINE_EXCEEDED` for a `TimeoutError` as its reason and
   *   `CANCELLED` for any other. The provider is told once no caller waits any more.
   */
  handle(method: string, params: unknown, signal?: AbortSignal): Promise<CallAnswer>;
  /** Ends the owner: whoever waits gets `OWNER_CLOSED`, as does every later call, and all providers are told. */
  close(): void;
}

/** The codes that a provider may reject with. */
const CALL_CODES: ReadonlySet<string> = new Set<CallCode>([
  "CANCELLED",
  "DEADLINE_EXCEEDED",
  "UNAVAILABLE",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "INVALID_INPUT",
  "INVALID_RESULT",
  "UNCERTAIN",
  "EXECUTION_FAILED",
]);
/** What is said of a call before it is an operation is not a provider's to say. */
const OWN_CODES: ReadonlySet<string> = new Set<CallCode>([...(CALL_CODES as ReadonlySet<CallCode>), "OWNER_CLOSED", "OPERATION_CONFLICT"]);

interface Operation {
  /** The canonical method and params, or their hash where they are long. */
  readonly identity: string | Promise<string>;
  readonly answer: Promise<CallAnswer>;
  readonly controller: AbortController;
  waiting: number;
}

/** Params that have the right form: `method` is there for `effect/call`, `intent` may be for `flow/call`. */
interface Params {
  readonly operationId: string;
  readonly slot: string;
  readonly method?: string;
  readonly intent?: string;
  readonly input: unknown;
}

interface AdmittedParams extends Params {
  readonly input: Json1Value;
}

/**
 * Makes the calls of one owner.
 * @throws FlowError `usage` for a slot whose contract no descriptor was read for, or one that is both local and of a
 *   contract.
 */
export function createContractCalls(options: ContractCallsOptions): ContractCalls {
  return new Calls(options);
}

class Calls implements ContractCalls {
  private readonly effects = new Map<string, EffectSlot>();
  private readonly flows = new Map<string, FlowProvider>();
  private readonly operations = new Map<string, Operation>();
  private readonly most: number;
  private readonly onFault: ((fault: unknown, operationId: string) => void) | undefined;
  private readonly closing = new AbortController();

  constructor(options: ContractCallsOptions) {
    for (const [slot, effect] of Object.entries(options.effects ?? {})) {
      if ("local" in effect ? "contract" in effect : !isContract(effect.contract)) {
        throw new FlowError(
          "usage",
          `the slot ${JSON.stringify(slot)} is neither a local seam nor of a contract that was read from its descriptor`,
        );
      }
      this.effects.set(slot, effect);
    }
    for (const [slot, flow] of Object.entries(options.flows ?? {})) this.flows.set(slot, flow);
    this.most = options.operations ?? 10_000;
    this.onFault = options.onFault;
  }

  async handle(method: string, params: unknown, signal?: AbortSignal): Promise<CallAnswer> {
    if (method !== "effect/call" && method !== "flow/call") {
      return { error: { code: -32601, message: `there is no method ${JSON.stringify(method)}` } };
    }
    const read = method === "effect/call" ? effectParams(params) : flowParams(params);
    if (typeof read === "string") return { error: { code: -32602, message: read } };
    try {
      return await this.operate(method, read, signal);
    } catch (caught) {
      if (!isFlowError(caught) || !OWN_CODES.has(caught.code)) throw caught;
      return { error: errorOf(caught) };
    }
  }

  close(): void {
    this.closing.abort();
    for (const { controller } of this.operations.values()) controller.abort(this.closing.signal.reason);
  }

  private async operate(rpcMethod: string, params: Params, signal: AbortSignal | undefined): Promise<CallAnswer> {
    if (this.closing.signal.aborted) throw ownerClosed();
    if (signal?.aborted === true) throw stoppedBy(signal);
    const input = admitted(params.input, "INVALID_INPUT");
    const { operationId, slot, method, intent } = params;
    const identity = identityOf({
      rpcMethod,
      operationId,
      slot,
      ...(method === undefined ? {} : { method }),
      ...(intent === undefined ? {} : { intent }),
      input,
    });
    // From here to where the operation is entered nothing is awaited: of two calls, one is first.
    const known = this.operations.get(operationId);
    if (known !== undefined) {
      if ((await known.identity) === (await identity)) return this.wait(known, signal);
      throw callFailure("OPERATION_CONFLICT", `the operation ${operationId} is another call`);
    }
    if (this.operations.size >= this.most) throw callFailure("RESOURCE_EXHAUSTED", `more than ${this.most} operations`);
    const controller = new AbortController();
    // Its turn comes once the operation is entered, so that a provider that calls back meets it.
    const answer = this.settled({ ...params, input: freezeJson1(input) }, rpcMethod, controller.signal);
    const operation = { identity, answer, controller, waiting: 0 };
    this.operations.set(operationId, operation);
    return this.wait(operation, signal);
  }

  /** Waits with others for an operation. Who is cancelled stops waiting; with the last one, the provider is told. */
  private wait(operation: Operation, signal: AbortSignal | undefined): Promise<CallAnswer> {
    operation.waiting++;
    return new Promise((resolve, reject) => {
      const ends = [this.closing.signal, ...(signal === undefined ? [] : [signal])];
      const leave = (): void => {
        for (const end of ends) end.removeEventListener("abort", stop);
        operation.waiting--;
      };
      const stop = (): void => {
        leave();
        reject(this.closing.signal.aborted ? ownerClosed() : stoppedBy(signal as AbortSignal));
        if (operation.waiting === 0) operation.controller.abort(signal?.reason);
      };
      for (const end of ends) end.addEventListener("abort", stop);
      if (ends.some((end) => end.aborted)) stop();
      operation.answer.then((answer) => {
        leave();
        resolve(answer);
      }, reject);
    });
  }

  /** The answer of an operation, whatever its provider does. */
  private async settled(call: AdmittedParams, rpcMethod: string, signal: AbortSignal): Promise<CallAnswer> {
    await undefined;
    try {
      return { result: await (rpcMethod === "effect/call" ? this.effect(call, signal) : this.flow(call, signal)) };
    } catch (caught) {
      if (isFlowError(caught) && CALL_CODES.has(caught.code)) return { error: errorOf(caught) };
      this.onFault?.(caught, call.operationId);
      // Told to stop, a provider may reject with anything.
      if (signal.aborted) return { error: errorOf(stoppedBy(signal)) };
      return { error: errorOf(callFailure("EXECUTION_FAILED", "the provider failed")) };
    }
  }

  private async effect(params: AdmittedParams, signal: AbortSignal): Promise<CallResult> {
    const { operationId, slot, input } = params;
    const method = params.method as string;
    const bound = this.effects.get(slot);
    if (bound === undefined) throw callFailure("UNAVAILABLE", `nothing is bound to the slot ${slot}`);
    const request = { method, input, operationId, signal };
    if ("local" in bound) {
      stopIfAborted(signal);
      return taggedValue(admitted(await bound.provider.call(request), "INVALID_RESULT"));
    }
    const { contract, offered, provider } = bound;
    if (!sameContract(contract, offered)) {
      throw callFailure("UNAVAILABLE", `the provider of ${slot} offers another contract than ${contract.id} ${contract.version}`);
    }
    const declared = Object.hasOwn(contract.methods, method) ? contract.methods[method] : undefined;
    if (declared === undefined) throw callFailure("UNAVAILABLE", `the contract of ${slot} declares no method ${method}`);
    judge(declared.input, input, "INVALID_INPUT");
    const { id, version, digest } = contract;
    stopIfAborted(signal);
    const reply = admitted(await provider.call({ ...request, contract: { id, version, digest } }), "INVALID_RESULT");
    const result = taggedValue(reply);
    if ("value" in result) {
      judge(declared.output, result.value, "INVALID_RESULT");
    } else if ("error" in result) {
      const { name, data } = result.error;
      const schema = Object.hasOwn(declared.errors, name) ? declared.errors[name] : undefined;
      if (schema === undefined) throw invalidResult(`the method ${method} declares no error ${name}`);
      judge(schema, data, "INVALID_RESULT");
    }
    return result;
  }

  private async flow(params: AdmittedParams, signal: AbortSignal): Promise<CallResult> {
    const { operationId, slot, input, intent } = params;
    const provider = this.flows.get(slot);
    if (provider === undefined) throw callFailure("UNAVAILABLE", `no Flow is bound to the slot ${slot}`);
    stopIfAborted(signal);
    const request = { input, operationId, signal, ...(intent === undefined ? {} : { intent }) };
    const reply = admitted(await provider.call(request), "INVALID_RESULT");
    if (!hasExactly(reply, ["outcome", "output"]) || !isLocalName(reply["outcome"])) {
      throw invalidResult("expected exactly an outcome, which is a LocalName, and an output");
    }
    return freezeJson1(reply) as unknown as CallResult;
  }
}

/** Params of `effect/call`, or a sentence of what is wrong with them. */
function effectParams(params: unknown): Params | string {
  const fault = faultOfMembers(params, ["operationId", "slot", "method", "input"], []);
  if (fault !== undefined) return fault;
  const { operationId, slot, method, input } = params as Record<string, unknown>;
  if (!isLocalName(method)) return "expected a LocalName as the method";
  return faultOfNames(operationId, slot) ?? { operationId: operationId as string, slot: slot as string, method, input };
}

/** Params of `flow/call`, or a sentence of what is wrong with them. */
function flowParams(params: unknown): Params | string {
  const fault = faultOfMembers(params, ["operationId", "slot", "input"], ["intent"]);
  if (fault !== undefined) return fault;
  const { operationId, slot, input, intent } = params as Record<string, unknown>;
  const read = { operationId: operationId as string, slot: slot as string, input };
  const names = faultOfNames(operationId, slot);
  if (names !== undefined || intent === undefined) return names ?? read;
  if (typeof intent !== "string" || intent === "" || !isWellFormed(intent) || scalarLength(intent) > 16_384) {
    return "expected an intent of 1 to 16,384 characters";
  }
  return { ...read, intent };
}

function faultOfMembers(params: unknown, required: readonly string[], optional: readonly string[]): string | undefined {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return "expected params in an object";
  const names = Object.keys(params).filter((name) => (params as Record<string, unknown>)[name] !== undefined);
  for (const name of required) if (!names.includes(name)) return `expected the member ${name} in the params`;
  for (const name of names)
    if (!required.includes(name) && !optional.includes(name)) return `there is no member ${JSON.stringify(name)} in the params`;
  return undefined;
}

function faultOfNames(operationId: unknown, slot: unknown): string | undefined {
  if (!isOperationId(operationId))
    return "expected an operationId of 1 to 128 letters, digits and . _ : / - that begins with a letter or digit";
  return isLocalName(slot) ? undefined : "expected a LocalName as the slot";
}

/** The JSON/1 value of data, or a failure by its side. */
function admitted(data: unknown, code: "INVALID_INPUT" | "INVALID_RESULT"): Json1Value {
  try {
    return admitJson1(data);
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    const what = code === "INVALID_INPUT" ? "the input" : "the reply";
    throw callFailure(code, `${what} is no JSON/1 value: ${caught.message}`, { code: caught.code, at: String(caught.at) });
  }
}

/** @throws FlowError where the value does not satisfy the schema, or judging it takes too much work. */
function judge(schema: CompiledSchema, value: Json1Value, code: RejectionCode & CallCode): void {
  let diagnostics: readonly Diagnostic[];
  try {
    const { valid, diagnostics: found } = schema.validate(value, { code });
    if (valid) return;
    diagnostics = found;
  } catch (caught) {
    if (!isFlowError(caught) || caught.code !== "SCHEMA_LIMIT_EXCEEDED") throw caught;
    throw callFailure("RESOURCE_EXHAUSTED", caught.message, { code: caught.code, at: schema.pointer });
  }
  const what = code === "INVALID_INPUT" ? "the input" : "the reply";
  const [first] = diagnostics;
  const why = first === undefined ? "" : `: ${first.message} at ${JSON.stringify(first.instance)}`;
  throw callFailure(code, `${what} does not satisfy its schema${why}`, { diagnostics: diagnostics.map((reason) => ({ ...reason })) });
}

/** The JSON-RPC error of a failure that has a call code. */
function errorOf(failure: FlowError): RpcError {
  const code = failure.code as CallCode;
  const details = detailsOf(failure);
  return { code: -32000, message: failure.message, data: details === undefined ? { code } : { code, details } };
}

/** Exactly `{ value }` or `{ error: { name, data } }`. */
function taggedValue(reply: Json1Value): Extract<CallResult, { value: unknown } | { error: unknown }> {
  if (hasExactly(reply, ["value"])) return freezeJson1(reply) as unknown as { value: Json1Value };
  if (hasExactly(reply, ["error"])) {
    const error = reply["error"] as Json1Value;
    if (hasExactly(error, ["name", "data"]) && isLocalName(error["name"])) {
      return freezeJson1(reply) as unknown as { error: { name: string; data: Json1Value } };
    }
  }
  throw invalidResult("expected exactly a value, or an error with exactly its name and data");
}

function hasExactly(value: Json1Value, names: readonly string[]): value is Json1Object {
  return isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function invalidResult(message: string): FlowError {
  return callFailure("INVALID_RESULT", message);
}

function ownerClosed(): FlowError {
  return callFailure("OWNER_CLOSED", "the owner of the call has ended");
}

/** Whom nobody waits for any more is not begun. */
function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw stoppedBy(signal);
}

/** Operations are kept for as long as their owner lives, so a long identity is kept as its hash. */
function identityOf(call: Json1Value): string | Promise<string> {
  const text = canonicalJson1(call);
  if (text.length <= 128) return text;
  const hash = sha256Hex(text);
  // Nobody may ever ask for it; who does meets the rejection.
  hash.catch(() => undefined);
  return hash;
}
