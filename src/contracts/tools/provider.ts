/** A bound Flow Tool provides a method of a contract: the provider's side of the adapter (*Calls through a contract*). */
import type { DeclaredTool } from "../../bindings/function.ts";
import { OpenCall } from "../../host/call.ts";
import { Dispatcher } from "../../host/dispatch.ts";
import { GuardedHooks } from "../../host/hooks.ts";
import { randomRunId } from "../../host/runid.ts";
import { CallTypes } from "../../host/types.ts";
import { FlowError, isFlowError } from "../../json/errors.ts";
import { type Limits, resolveLimits } from "../../json/limits.ts";
import type { Binding } from "../../protocol/binding.ts";
import { requireFit } from "../../protocol/description.ts";
import { type Outcome, reasonOf } from "../../protocol/outcome.ts";
import { DATA_VERSION } from "../../signature/dataversion.ts";
import { fingerprintOf } from "../../signature/signature.ts";
import { callFailure, stoppedBy } from "../failure.ts";
import { isLocalName } from "../identity.ts";
import { canonicalJson1 } from "../json1.ts";
import type { Json1Value } from "../model.ts";
import type { EffectProvider, EffectRequest } from "../providers.ts";
import { ErrorTable, type ToolErrors } from "./errors.ts";
import { json1OfFlow } from "./exact.ts";
import { InputTable, type ToolParameters } from "./input.ts";

/** Nobody watches calls that are made for a contract. */
const NO_HOOKS = new GuardedHooks({});

/** A Tool that provides a method. */
export interface ToolMethod {
  /** Its declaration: an entry of a `tools` output. Not a generic one, since a contract says nothing of types. */
  readonly tool: DeclaredTool;
  /** The implementation. It stays its owner's, who disposes of it; its calls are counted here alone. */
  readonly binding: Binding;
  /** The input's members, where they are called otherwise than the Tool's parameters. */
  readonly parameters?: ToolParameters;
  /** The named errors that the Tool's error type stands for; none where that is Never. */
  readonly errors?: ToolErrors;
}

/** How calls of a contract become calls of Tools. */
export interface ToolProviderOptions {
  /** What one value may hold; those of the host by default. */
  readonly limits?: Partial<Limits>;
  /** Milliseconds that a cancelled call has to answer; 5,000 by default. */
  readonly graceMs?: number;
  /** Milliseconds that an implementation has to start and describe itself; 10,000 by default. */
  readonly describeMs?: number;
}

/**
 * A provider whose methods are Flow Tools. The method's input becomes the arguments, decoded strictly at the Tool's
 * types before the Tool is reached (`INVALID_INPUT`); its success is the value, its Failed a named error by the table.
 * NotRun is `UNAVAILABLE`, Unknown `UNCERTAIN`, BadReply `INVALID_RESULT`, as is a value that JSON/1 cannot hold exactly.
 * @throws FlowError `usage` for a generic Tool, or tables that do not fit the Tool's declaration
 */
export function toolProvider(methods: Readonly<Record<string, ToolMethod>>, options: ToolProviderOptions = {}): EffectProvider {
  const limits = resolveLimits(options.limits);
  const dispatchers = new Map<Binding, Dispatcher>();
  const provided = new Map<string, ProvidedMethod>();
  for (const [name, method] of Object.entries(methods)) {
    if (!isLocalName(name)) throw new FlowError("usage", `${JSON.stringify(name)} cannot be the name of a method`);
    const dispatcher = dispatchers.get(method.binding) ?? new Dispatcher(method.binding);
    dispatchers.set(method.binding, dispatcher);
    provided.set(name, new ProvidedMethod(method, dispatcher, limits, options));
  }
  return {
    async call(request) {
      const method = provided.get(request.method);
      if (method === undefined) throw callFailure("UNAVAILABLE", `no Tool provides the method ${request.method}`);
      return method.call(request);
    },
  };
}

class ProvidedMethod {
  private readonly tool: DeclaredTool;
  private readonly dispatcher: Dispatcher;
  private readonly types: CallTypes;
  private readonly input: InputTable;
  private readonly errors: ErrorTable;
  private readonly options: ToolProviderOptions;
  /** The fingerprint, once the implementation has been found to fit. */
  private fitting: Promise<string> | undefined;

  constructor({ tool, parameters, errors }: ToolMethod, dispatcher: Dispatcher, limits: Limits, options: ToolProviderOptions) {
    const { spec } = tool;
    if (spec.generic.length > 0) throw new FlowError("usage", "a generic Tool cannot provide a method", { tool: tool.tool });
    this.tool = tool;
    this.dispatcher = dispatcher;
    this.options = options;
    this.types = new CallTypes(spec, spec.declarations, limits);
    this.input = new InputTable(spec, parameters, tool.tool);
    this.errors = new ErrorTable(spec, errors, tool.tool);
  }

  async call({ input, signal }: EffectRequest): Promise<unknown> {
    const values = this.argumentsOf(input);
    const fingerprint = await this.fingerprint();
    if (signal.aborted) throw stoppedBy(signal);
    const { tool } = this.tool;
    // A run of its own for each call: what an implementation keeps for a run, it may give away when the call is over.
    const run = randomRunId();
    const message = { run, call: "1", tool, fingerprint, values, args: this.types.encodeArguments(values) };
    const { graceMs = 5_000 } = this.options;
    const open = new OpenCall(message, this.dispatcher, this.types, {
      graceMs,
      signal,
      timeoutMs: undefined,
      resent: false,
      hooks: NO_HOOKS,
    });
    open.start();
    const outcome = await open.done;
    this.dispatcher.binding.finished?.(run);
    return this.resultOf(outcome, signal);
  }

  private argumentsOf(input: Json1Value): Readonly<Record<string, unknown>> {
    const args = refusing(
      (at) => at,
      () => this.input.toArguments(input),
    );
    return refusing(
      (at) => this.input.pointer(at),
      () => this.types.decodeArguments(canonicalJson1(args)),
    );
  }

  /** Whether the implementation is the declared one's is asked before the first call, and again as long as it was not. */
  private fingerprint(): Promise<string> {
    this.fitting ??= this.fit().catch((caught: unknown) => {
      this.fitting = undefined;
      throw callFailure("UNAVAILABLE", `the Tool cannot be reached: ${reasonOf(caught)}`);
    });
    return this.fitting;
  }

  private async fit(): Promise<string> {
    const { describeMs = 10_000 } = this.options;
    const { tool, spec } = this.tool;
    const fingerprint = await fingerprintOf(spec);
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        controller.abort();
        reject(new FlowError("start", `it did not describe itself within ${describeMs} ms`));
      }, describeMs);
    });
    try {
      const description = await Promise.race([this.dispatcher.binding.describe(DATA_VERSION, controller.signal), late]);
      requireFit(description, tool, fingerprint);
      return fingerprint;
    } finally {
      clearTimeout(timer);
    }
  }

  private resultOf(outcome: Outcome, signal: AbortSignal): unknown {
    switch (outcome.tag) {
      case "Ok":
        return { value: this.json1Of(() => this.types.ok.encode(outcome.value)) };
      case "Failed":
        return { error: this.errors.toNamed(this.json1Of(() => this.types.err.encode(outcome.value))) };
      case "BadReply":
        throw callFailure("INVALID_RESULT", outcome.value);
      default:
        // Whoever asked to stop learns that it stopped; what became of the Tool's work, nobody says for certain.
        if (signal.aborted) throw stoppedBy(signal);
        throw callFailure(outcome.tag === "NotRun" ? "UNAVAILABLE" : "UNCERTAIN", outcome.value);
    }
  }

  private json1Of(encode: () => string): Json1Value {
    try {
      return json1OfFlow(encode());
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const details = { code: caught.code, at: String(caught.at) };
      throw callFailure("INVALID_RESULT", `the Tool's value is no JSON/1 value: ${caught.message}`, details);
    }
  }
}

/** @param place The pointer into the input for one into what is worked on. */
function refusing<T>(place: (at: string) => string, work: () => T): T {
  try {
    return work();
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    const details = { code: caught.code, at: place(String(caught.at)) };
    throw callFailure("INVALID_INPUT", `the input is not what the Tool takes: ${caught.message}`, details);
  }
}
