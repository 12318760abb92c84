/**
 * A function in this process as a Tool. The same fields travel as values and nothing is serialized; the host checks
 * what comes back against the declared types.
 */
import { codecFor } from "../codec/codec.ts";
import { type FlowError, isFlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import type { Description } from "../protocol/description.ts";
import { malformed, notRun, type Outcome, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import { keyOf } from "../protocol/pending.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { describedSignature, fingerprintOf } from "../signature/signature.ts";
import type { TypeSpec } from "../types/terms.ts";

/** What a function gets beside its arguments. */
export interface CallContext {
  /** The id of the run. */
  readonly run: string;
  /** The id of the call, unique in its run. */
  readonly call: string;
  /** Aborted when the host asks to stop; whatever the function then returns in time still counts. */
  readonly signal: AbortSignal;
  /** For a generic call: canonical text of the success type's schema and of the types view. */
  readonly schema: string | undefined;
  /** Canonical text of a generic call's types view. */
  readonly types: string | undefined;
}

/** The function of a Tool: arguments by parameter name, an outcome back. What it throws is Unknown. */
export type ToolFunction = (values: Readonly<Record<string, unknown>>, context: CallContext) => Outcome | Promise<Outcome>;

/** The declaration a function implements: an entry of a `tools` output has all of this. */
export interface DeclaredTool {
  /** Its identity. */
  readonly tool: string;
  /** Its types. */
  readonly spec: TypeSpec;
}

/** How a function is bound. */
export interface FunctionOptions {
  /** Limits of this Tool where they are lower than the host's: arguments past them are NotRun, the function never ran. */
  readonly limits?: Partial<Limits>;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** What it is called in a transcript; `function` by default. */
  readonly title?: string;
}

/**
 * Binds a function. Its value is an outcome, `{ tag: "Ok", value }`, `{ tag: "Failed", value }`, or
 * `{ tag: "NotRun" | "Unknown", value: reason }`; one that does not check is BadReply (R42).
 * @throws FlowError `usage` for limits that are none.
 */
export function bindFunction(declared: DeclaredTool, implementation: ToolFunction, options: FunctionOptions = {}): Binding {
  return new FunctionBinding(declared, implementation, options);
}

class FunctionBinding implements Binding {
  readonly title: string;
  readonly takesValues = true;
  readonly concurrency: number | undefined;
  private readonly declared: DeclaredTool;
  private readonly implementation: ToolFunction;
  private readonly limits: Limits | undefined;
  /** The open calls by their ids. */
  private readonly open = new Map<string, Context>();

  constructor(declared: DeclaredTool, implementation: ToolFunction, options: FunctionOptions) {
    this.declared = declared;
    this.implementation = implementation;
    this.limits = options.limits === undefined ? undefined : resolveLimits(options.limits);
    this.title = options.title ?? "function";
    this.concurrency = options.concurrency;
  }

  async describe(): Promise<Description> {
    const { tool, spec } = this.declared;
    const served = { tool, fingerprint: await fingerprintOf(spec), signature: describedSignature(spec) };
    return { data: DATA_VERSION, tools: [served] };
  }

  async call(message: CallMessage): Promise<Reply> {
    const fault = this.limits === undefined ? undefined : this.beyondLimits(message.values, this.limits);
    if (fault !== undefined) return notRun(`the Tool's own limits refuse the arguments: ${fault.message}`);
    const key = keyOf(message);
    const context = new Context(message);
    this.open.set(key, context);
    try {
      return replyOf(await this.implementation(message.values, context));
    } catch (thrown) {
      return unknown(`the Tool's code stopped with an error: ${reasonOf(thrown)}`);
    } finally {
      this.open.delete(key);
    }
  }

  cancel(ids: CallIds): void {
    this.open.get(keyOf(ids))?.abort("the call was cancelled");
  }

  /** A function cannot be stopped from outside: it was told by its signal. */
  abandon(): void {}

  listen(_events: BindingEvents): () => void {
    return () => {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.open.values()) context.abort("the binding was closed");
  }

  private beyondLimits(values: Readonly<Record<string, unknown>>, limits: Limits): FlowError | undefined {
    const { params, declarations, generic } = this.declared.spec;
    if (generic.length > 0) return undefined;
    for (const { name, type } of params) {
      try {
        codecFor(type, declarations).encode(values[name], limits);
      } catch (caught) {
        if (isFlowError(caught)) return caught;
        throw caught;
      }
    }
    return undefined;
  }
}

/** One call's context. Its signal is made when it is first asked for: on Node making one costs more than all the rest of a call. */
class Context implements CallContext {
  readonly run: string;
  readonly call: string;
  readonly schema: string | undefined;
  readonly types: string | undefined;
  private controller: AbortController | undefined;
  private aborted: Error | undefined;

  constructor({ run, call, schema, types }: CallMessage) {
    this.run = run;
    this.call = call;
    this.schema = schema;
    this.types = types;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted !== undefined) this.controller.abort(this.aborted);
    }
    return this.controller.signal;
  }

  abort(why: string): void {
    this.aborted = new Error(why);
    this.controller?.abort(this.aborted);
  }
}

/** The reply in what a function returned; the host checks the value in it. */
function replyOf(outcome: Outcome): Reply {
  if (typeof outcome !== "object" || outcome === null) return malformed(`an outcome is an object with a tag, met ${String(outcome)}`);
  const { tag, value } = outcome;
  if (tag === "Ok" || tag === "Failed") return { tag, value };
  if (tag !== "NotRun" && tag !== "Unknown") return malformed(`an outcome is Ok, Failed, NotRun or Unknown, met ${JSON.stringify(tag)}`);
  return typeof value === "string" ? { tag, reason: value, from: "tool" } : malformed(`${tag} carries its reason as a string`);
}
