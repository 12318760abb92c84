/** A provider of a contract answers a Flow Tool: the consumer's side of the adapter (*Calls through a contract*). */
import type { DeclaredTool } from "../../bindings/function.ts";
import { FlowError, isFlowError } from "../../json/errors.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../../protocol/binding.ts";
import type { Description } from "../../protocol/description.ts";
import { malformed, notRun, type Reply, reasonOf, unknown } from "../../protocol/outcome.ts";
import { keyOf } from "../../protocol/pending.ts";
import { DATA_VERSION } from "../../signature/dataversion.ts";
import { sha256Hex } from "../../signature/hash.ts";
import { describedSignature, fingerprintOf } from "../../signature/signature.ts";
import type { CallResult, ContractCalls, RpcError } from "../call.ts";
import { isLocalName } from "../identity.ts";
import { canonicalJson1 } from "../json1.ts";
import type { Json1Object, Json1Value } from "../model.ts";
import { ErrorTable, type ToolErrors } from "./errors.ts";
import { json1OfFlow } from "./exact.ts";
import { InputTable, type ToolParameters } from "./input.ts";

/** Which method answers, and how its names go with those of the Tool. */
export interface MethodBindingOptions {
  /** The slot whose provider answers. */
  readonly slot: string;
  /** The method of its contract. */
  readonly method: string;
  /** The input's members, where they are called otherwise than the Tool's parameters. */
  readonly parameters?: ToolParameters;
  /** The named errors that the Tool's error type stands for; none where that is Never. */
  readonly errors?: ToolErrors;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** What it is called in a transcript. */
  readonly title?: string;
}

/**
 * Binds a method of a slot as the implementation of a Tool. The arguments become the input, where JSON/1 can hold them
 * exactly; the value is the success, a named error Failed by the table. What was refused before the provider acted is
 * NotRun; `INVALID_RESULT` is BadReply, as is a named error that the table does not have; everything else is Unknown.
 * @throws FlowError `usage` for a generic Tool, tables that do not fit its declaration, or names that are none
 */
export function bindContractMethod(tool: DeclaredTool, calls: ContractCalls, options: MethodBindingOptions): Binding {
  return new MethodBinding(tool, calls, options);
}

/** The failures that a call meets before its provider acts. */
const REFUSALS: ReadonlySet<string> = new Set(["UNAVAILABLE", "INVALID_INPUT", "PERMISSION_DENIED", "OPERATION_CONFLICT"]);

class MethodBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly declared: DeclaredTool;
  private readonly calls: ContractCalls;
  private readonly options: MethodBindingOptions;
  private readonly input: InputTable;
  private readonly errors: ErrorTable;
  private readonly open = new Map<string, AbortController>();

  constructor(declared: DeclaredTool, calls: ContractCalls, options: MethodBindingOptions) {
    const { slot, method, parameters, errors } = options;
    const { tool, spec } = declared;
    if (spec.generic.length > 0) throw new FlowError("usage", "a method cannot answer a generic Tool", { tool });
    for (const name of [slot, method]) {
      if (!isLocalName(name)) throw new FlowError("usage", `${JSON.stringify(name)} cannot be the name of a slot or method`, { tool });
    }
    this.declared = declared;
    this.calls = calls;
    this.options = options;
    this.input = new InputTable(spec, parameters, tool);
    this.errors = new ErrorTable(spec, errors, tool);
    this.errors.requireInvertible(tool);
    this.title = options.title ?? `contract ${slot}.${method}`;
    this.concurrency = options.concurrency;
  }

  async describe(): Promise<Description> {
    const { tool, spec } = this.declared;
    const served = { tool, fingerprint: await fingerprintOf(spec), signature: describedSignature(spec) };
    return { data: DATA_VERSION, tools: [served] };
  }

  async call(message: CallMessage): Promise<Reply> {
    const key = keyOf(message);
    if (this.open.has(key)) return notRun("a call with the same run and call id is out already");
    const controller = new AbortController();
    this.open.set(key, controller);
    try {
      return await this.answered(message, controller.signal);
    } catch (caught) {
      return unknown(`the way to the provider failed: ${reasonOf(caught)}`);
    } finally {
      this.open.delete(key);
    }
  }

  cancel(ids: CallIds): void {
    this.open.get(keyOf(ids))?.abort(new Error("the host asked to stop the call"));
  }

  /** The provider was told by its signal, and nobody waits for it since. */
  abandon(): void {}

  listen(_events: BindingEvents): () => void {
    return () => {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const controller of this.open.values()) controller.abort(new Error("the binding was closed"));
  }

  private async answered(message: CallMessage, signal: AbortSignal): Promise<Reply> {
    let input: Json1Value;
    try {
      input = this.input.toInput(json1OfFlow(message.args) as Json1Object);
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      return notRun(`the arguments are no JSON/1 value: ${caught.message}`);
    }
    const { slot, method } = this.options;
    const operationId = await operationOf(message);
    if (signal.aborted) return notRun("the call was cancelled before it was sent");
    const { result, error } = await this.calls.handle("effect/call", { operationId, slot, method, input }, signal);
    return error === undefined ? this.replyOf(result) : replyOfError(error);
  }

  private replyOf(result: CallResult): Reply {
    if ("value" in result) return { tag: "Ok", text: canonicalJson1(result.value) };
    if (!("error" in result)) return malformed("an outcome in place of a value");
    const value = this.errors.toValue(result.error);
    if (value === undefined) return malformed(`the provider answered with the error ${result.error.name}, which the Tool has no place for`);
    return { tag: "Failed", text: canonicalJson1(value) };
  }
}

function replyOfError({ code, message, data }: RpcError): Reply {
  if (code !== -32000) return notRun(`the call was refused: ${message}`);
  const reason = `${data?.code}: ${message}`;
  if (data?.code === "INVALID_RESULT") return malformed(reason);
  return data !== undefined && REFUSALS.has(data.code) ? notRun(reason) : unknown(reason);
}

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** The same for a call that is sent again, so that it joins the operation; a hash where the ids do not fit the grammar. */
async function operationOf({ run, call }: CallIds): Promise<string> {
  if (PLAIN_ID.test(run) && PLAIN_ID.test(call) && run.length + call.length < 128) return `${run}/${call}`;
  return `sha256:${await sha256Hex(keyOf({ run, call }))}`;
}
