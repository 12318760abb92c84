/** The author's runtime (*Toolkits*): methods become a toolset that describes itself and answers calls. */
import { codecFor } from "../codec/codec.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT, type Limits, resolveLimits } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import { describeJson, isJsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import { reasonText } from "../protocol/messages.ts";
import { outcomeText, type Reply, reasonOf } from "../protocol/outcome.ts";
import type { InProcessCall, ServedCall, Stopping, Toolset } from "../protocol/toolset.ts";
import { readCallView } from "../signature/callview.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { withoutVersion } from "../signature/identity.ts";
import { describedSignature, signatureText } from "../signature/signature.ts";
import { ViewCache } from "../signature/viewcache.ts";
import { BoundTypes, type RootCodecs } from "./bound.ts";
import { Context, GenericContext } from "./context.ts";
import type { Toolkit, ToolkitTool } from "./toolkit.ts";

/** What a toolset takes. */
export interface ImplementOptions {
  /** Limits of this toolset where they are lower than the host's: a call past them is NotRun. */
  readonly limits?: Partial<Limits>;
}

/**
 * A toolset of an author's methods, to be served in process (`bindToolset`), over lines, behind `fetch`, from a Worker
 * or as a component. Arguments that do not decode, a declaration it does not serve and a bad call view are NotRun, and
 * no method ran; what a method throws, and a result that is no value of its declared type, are Unknown (R42).
 * @param toolkit What was generated from the declarations.
 * @param methods One method for each Tool.
 * @throws FlowError `usage` for a Tool without its method, or limits that are none.
 */
export function implement<Tools extends object>(toolkit: Toolkit<Tools, unknown>, methods: Tools, options: ImplementOptions = {}): Toolset {
  return new ImplementedToolset(toolkit, methods as Readonly<Record<string, unknown>>, options.limits);
}

/** A method as it is called: what its types were is the compiler's business. */
type Method = (args: Readonly<Record<string, unknown>>, context: Context) => unknown;

/** A Tool ready to be called. */
interface Served extends ToolkitTool {
  readonly run: Method;
  /** The codecs of a Tool that is not generic, made for its first call. */
  roots: RootCodecs | undefined;
  /** What was read of the views of a generic Tool's calls. */
  readonly bound: ViewCache<BoundTypes>;
}

/** A call of which every part was judged, so that its method may run. */
interface Admitted {
  readonly served: Served;
  readonly roots: RootCodecs;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

class ImplementedToolset implements Toolset {
  private readonly toolkit: Toolkit<object, unknown>;
  private readonly limits: Limits;
  /** Whether arguments that a host has checked are checked against limits once more. */
  private readonly hasLimits: boolean;
  /** By identity without its version (R36). */
  private readonly served: ReadonlyMap<string, Served>;

  constructor(toolkit: Toolkit<object, unknown>, methods: Readonly<Record<string, unknown>>, limits: Partial<Limits> | undefined) {
    this.toolkit = toolkit;
    this.limits = resolveLimits(limits);
    this.hasLimits = limits !== undefined;
    this.served = new Map(
      toolkit.tools.map((tool) => {
        const served: Served = { ...tool, run: methodOf(methods, tool), roots: undefined, bound: new ViewCache<BoundTypes>() };
        return [withoutVersion(tool.tool), served];
      }),
    );
  }

  async describe(): Promise<string> {
    const { tools } = await this.toolkit.document();
    const entries = tools.map(({ tool, fingerprint, signature }) => jsonObject({ tool, fingerprint, signature }));
    return signatureText(jsonObject({ data: DATA_VERSION, tools: entries }));
  }

  async answer(call: ServedCall, signal: AbortSignal): Promise<string> {
    let admitted: Admitted;
    try {
      admitted = this.admit(call, { signal });
    } catch (caught) {
      return reasonText("NotRun", notMade(caught));
    }
    const { served, args, context } = admitted;
    return this.outcome(admitted, await ending(served, args, context));
  }

  describeNow(): string {
    const entries = this.toolkit.tools.map(({ tool, fingerprint, spec }) =>
      jsonObject({ tool, fingerprint, signature: describedSignature(spec) }),
    );
    return signatureText(jsonObject({ data: DATA_VERSION, tools: entries }));
  }

  answerNow(call: ServedCall): string {
    let admitted: Admitted;
    try {
      admitted = this.admit(call, NEVER_STOPPED);
    } catch (caught) {
      return reasonText("NotRun", notMade(caught));
    }
    const { served, args, context } = admitted;
    return this.outcome(admitted, endingNow(served, args, context));
  }

  private outcome({ roots }: Admitted, ended: Ended): string {
    if ("reason" in ended) return reasonText("Unknown", ended.reason);
    try {
      const { tag, value } = resultOf(ended.result);
      return outcomeText(tag, (tag === "Ok" ? roots.ok : roots.err).encode(value, this.limits));
    } catch (caught) {
      return reasonText("Unknown", notEncoded(caught));
    }
  }

  async answerValues(call: InProcessCall, stopping: Stopping): Promise<Reply | undefined> {
    const { values } = call;
    let served: Served;
    let roots: RootCodecs;
    try {
      served = this.servedAs(call.tool);
      // A generic Tool's author gets JSON for values of a type parameter, so its calls go the way of texts.
      if (served.spec.generic.length > 0) return undefined;
      roots = rootsOf(served);
      if (this.hasLimits) for (const { name, codec } of roots.params) ofParameter(name, () => codec.encode(values[name], this.limits));
    } catch (caught) {
      return { tag: "NotRun", reason: notMade(caught), from: "tool" };
    }
    const ended = await ending(served, values, new Context(call, stopping));
    if ("reason" in ended) return { tag: "Unknown", reason: ended.reason, from: "tool" };
    try {
      const { tag, value } = resultOf(ended.result);
      (tag === "Ok" ? roots.ok : roots.err).encode(value, this.limits);
      return { tag, value };
    } catch (caught) {
      return { tag: "Unknown", reason: notEncoded(caught), from: "tool" };
    }
  }

  /** @throws FlowError whatever is wrong with a call; the author's code has not run then */
  private admit(call: ServedCall, stopping: Stopping): Admitted {
    const served = this.servedAs(call.tool);
    const { schema, types } = call;
    if (served.spec.generic.length === 0 || schema === undefined || types === undefined) {
      readCallView({ schema: this.parsed(schema), types: this.parsed(types) }, served.spec);
      const roots = rootsOf(served);
      return { served, roots, args: this.arguments(roots, call.args), context: new Context(call, stopping) };
    }
    const bound = served.bound.get(schema, types, () => {
      const view = readCallView({ schema: this.parsed(schema), types: this.parsed(types) }, served.spec);
      return new BoundTypes(served.spec, view);
    });
    return { served, roots: bound.roots, args: this.arguments(bound.roots, call.args), context: new GenericContext(call, stopping, bound) };
  }

  private servedAs(tool: string): Served {
    const served = this.served.get(withoutVersion(tool));
    if (served === undefined) throw new FlowError("not-served", `this toolset does not serve ${tool}`, { tool });
    return served;
  }

  /** Views nest deeper than the values they describe. */
  private parsed(text: string | undefined): JsonValue | undefined {
    return text === undefined ? undefined : parseJson(text, { ...this.limits, depth: DEEPEST_LIMIT });
  }

  /** Read strictly (R5); the author's side may get whatever a program has, opaque values included (R14). */
  private arguments({ params }: RootCodecs, text: string): Readonly<Record<string, unknown>> {
    const json = parseJson(text, this.limits);
    if (!isJsonObject(json))
      throw new FlowError("kind", `expected the arguments as an object by parameter name, met ${describeJson(json)}`);
    const args = Object.create(null) as Record<string, unknown>;
    for (const { name, codec } of params) {
      const value = json[name];
      if (value === undefined) throw new FlowError("missing-member", `expected an argument for the parameter ${JSON.stringify(name)}`);
      args[name] = ofParameter(name, () => codec.decodeRead(value, "strict", "all"));
    }
    for (const name of Object.keys(json)) {
      if (!(name in args)) throw new FlowError("undeclared-member", `there is no parameter ${JSON.stringify(name)}`);
    }
    return args;
  }
}

function rootsOf(served: Served): RootCodecs {
  if (served.roots === undefined) {
    const { params, ok, err, declarations } = served.spec;
    served.roots = {
      params: params.map(({ name, type }) => ({ name, codec: codecFor(type, declarations) })),
      ok: codecFor(ok, declarations),
      err: codecFor(err, declarations),
    };
  }
  return served.roots;
}

/** Nobody can ask a call to stop that holds the only thread there is. Made when asked for: not every engine has signals. */
const NEVER_STOPPED: Stopping = {
  get signal() {
    return new AbortController().signal;
  },
};

/** How a method ended. */
type Ended = { readonly result: unknown } | { readonly reason: string };

/** Runs a method. Whatever it throws, and however it throws it, is a reason. */
async function ending({ run }: Served, args: Readonly<Record<string, unknown>>, context: Context): Promise<Ended> {
  try {
    return { result: await run(args, context) };
  } catch (thrown) {
    return { reason: `the Tool's code stopped with an error: ${reasonFor(thrown)}` };
  }
}

/** Runs a method where nothing can be waited for. */
function endingNow({ run }: Served, args: Readonly<Record<string, unknown>>, context: Context): Ended {
  try {
    const result = run(args, context);
    if (!isThenable(result)) return { result };
    // Whatever becomes of it, nobody is there to see.
    result.then(
      () => {},
      () => {},
    );
    return { reason: "the Tool's code answered with a promise, and nothing can be waited for here" };
  } catch (thrown) {
    return { reason: `the Tool's code stopped with an error: ${reasonFor(thrown)}` };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** Says which argument a fault is in. */
function ofParameter<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    throw new FlowError(caught.code, `${caught.message} (in ${JSON.stringify(name)})`, { at: caught.at, cause: caught });
  }
}

function methodOf(methods: Readonly<Record<string, unknown>>, { method, tool }: ToolkitTool): Method {
  const found = methods[method];
  if (typeof found !== "function") throw new FlowError("usage", `there is no method ${method} for ${tool}`, { tool });
  return (args, context) => (found as Method).call(methods, args, context);
}

/** @throws Error for what is neither `ok(...)` nor `err(...)` */
function resultOf(result: unknown): { readonly tag: "Ok" | "Failed"; readonly value: unknown } {
  const { tag, value } = (typeof result === "object" && result !== null ? result : {}) as { tag?: unknown; value?: unknown };
  if (tag !== "Ok" && tag !== "Failed") throw new Error("it is neither ok(value) nor err(error)");
  return { tag, value };
}

/** Only refusals are expected here; anything else is a fault of this library, and no method ran either way. */
function notMade(caught: unknown): string {
  return `the call cannot be made: ${reasonFor(caught)}`;
}

function notEncoded(caught: unknown): string {
  return `what the Tool's code returned is no outcome of its declared types: ${reasonFor(caught)}`;
}

/** Errors of an author's code can be anything, even objects that throw when they are looked at. */
function reasonFor(thrown: unknown): string {
  try {
    return isFlowError(thrown) ? `${thrown.code}: ${thrown.message}` : String(reasonOf(thrown));
  } catch {
    return "something was thrown that has no text";
  }
}
