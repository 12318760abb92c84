/** The author's runtime (*Toolkits*): methods become a toolset that describes itself and answers calls. */
import { carriedCodecs } from "../codec/carried.ts";
import { type Codec, codecFor } from "../codec/codec.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT, type Limits, resolveLimits } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import { reasonText } from "../protocol/messages.ts";
import { notRun, outcomeText, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import type { InProcessCall, ServedCall, Toolset } from "../protocol/toolset.ts";
import { type CallView, readCallView } from "../signature/callview.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { withoutVersion } from "../signature/identity.ts";
import { signatureText } from "../signature/signature.ts";
import { Context, GenericContext } from "./context.ts";
import type { Toolkit, ToolkitTool } from "./toolkit.ts";

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
  return new ImplementedToolset(toolkit, methods as Readonly<Record<string, unknown>>, resolveLimits(options.limits));
}

/** A method as it is called: what its types were is the compiler's business. */
type Method = (args: Readonly<Record<string, unknown>>, context: Context) => unknown;

/** A Tool ready to be called. */
interface Served extends ToolkitTool {
  readonly run: Method;
  /** The codecs of a Tool that is not generic. */
  codecs: Codecs | undefined;
}

interface Codecs {
  readonly params: readonly { readonly name: string; readonly codec: Codec }[];
  readonly ok: Codec;
  readonly err: Codec;
}

class ImplementedToolset implements Toolset {
  private readonly toolkit: Toolkit<object, unknown>;
  private readonly limits: Limits;
  /** By identity without its version (R36). */
  private readonly served: ReadonlyMap<string, Served>;

  constructor(toolkit: Toolkit<object, unknown>, methods: Readonly<Record<string, unknown>>, limits: Limits) {
    this.toolkit = toolkit;
    this.limits = limits;
    this.served = new Map(
      toolkit.tools.map((tool) => [withoutVersion(tool.tool), { ...tool, run: methodOf(methods, tool), codecs: undefined }]),
    );
  }

  async describe(): Promise<string> {
    const { tools } = await this.toolkit.document();
    const entries = tools.map(({ tool, fingerprint, signature }) => jsonObject({ tool, fingerprint, signature }));
    return signatureText(jsonObject({ data: DATA_VERSION, tools: entries }));
  }

  async answer(call: ServedCall, signal: AbortSignal): Promise<string> {
    const served = this.served.get(withoutVersion(call.tool));
    let codecs: Codecs;
    let args: Readonly<Record<string, unknown>>;
    let context: Context;
    try {
      if (served === undefined) throw new FlowError("not-served", `this toolset does not serve ${call.tool}`);
      const view = readCallView({ schema: this.parsed(call.schema), types: this.parsed(call.types) }, served.spec);
      codecs = this.codecsOf(served, view);
      args = decodeArguments(codecs, parseJson(call.args, this.limits));
      context = view.schema === undefined ? new Context(call, signal) : new GenericContext(call, signal, view, codecs);
    } catch (caught) {
      // Only refusals are expected here; anything else is a fault of this library, and no method ran either way.
      return reasonText("NotRun", `the call cannot be made: ${describe(caught)}`);
    }
    try {
      const result = await served.run(args, context);
      const { tag, value } = resultOf(result);
      return outcomeText(tag, (tag === "Ok" ? codecs.ok : codecs.err).encode(value, this.limits));
    } catch (thrown) {
      return reasonText("Unknown", `the Tool's code stopped with an error: ${describe(thrown)}`);
    }
  }

  async answerValues(call: InProcessCall, signal: AbortSignal): Promise<Reply | undefined> {
    const served = this.served.get(withoutVersion(call.tool));
    if (served === undefined) return notRun(`this toolset does not serve ${call.tool}`);
    // A generic Tool's author gets JSON for values of a type parameter, so its calls go the way of texts.
    if (served.spec.generic.length > 0) return undefined;
    const { ok, err } = this.codecsOf(served, { ...served.spec, bindings: [], schema: undefined });
    try {
      const { tag, value } = resultOf(await served.run(call.values, new Context(call, signal)));
      (tag === "Ok" ? ok : err).encode(value, this.limits);
      return { tag, value };
    } catch (thrown) {
      return unknown(`the Tool's code stopped with an error: ${describe(thrown)}`);
    }
  }

  private codecsOf(served: Served, view: CallView): Codecs {
    if (view.schema !== undefined) return carriedCodecs(served.spec, view);
    if (served.codecs === undefined) {
      const { params, ok, err, declarations } = served.spec;
      served.codecs = {
        params: params.map(({ name, type }) => ({ name, codec: codecFor(type, declarations) })),
        ok: codecFor(ok, declarations),
        err: codecFor(err, declarations),
      };
    }
    return served.codecs;
  }

  /** Views nest deeper than the values they describe. */
  private parsed(text: string | undefined): JsonValue | undefined {
    return text === undefined ? undefined : parseJson(text, { ...this.limits, depth: DEEPEST_LIMIT });
  }
}

/** @throws FlowError with a code of R35 */
function decodeArguments({ params }: Codecs, json: JsonValue): Readonly<Record<string, unknown>> {
  if (!isJsonObject(json)) throw new FlowError("kind", "expected the arguments as an object by parameter name");
  const args = Object.create(null) as Record<string, unknown>;
  for (const { name, codec } of params) {
    const value = json[name];
    if (value === undefined) throw new FlowError("missing-member", `expected an argument for the parameter ${JSON.stringify(name)}`);
    args[name] = codec.decodeRead(value, "strict", "all");
  }
  for (const name of Object.keys(json)) {
    if (!params.some((param) => param.name === name))
      throw new FlowError("undeclared-member", `there is no parameter ${JSON.stringify(name)}`);
  }
  return args;
}

function methodOf(methods: Readonly<Record<string, unknown>>, { method, tool }: ToolkitTool): Method {
  const found = methods[method];
  if (typeof found !== "function") throw new FlowError("usage", `there is no method ${method} for ${tool}`, { tool });
  return (args, context) => (found as Method).call(methods, args, context);
}

/** @throws Error for what is neither `ok(...)` nor `err(...)` */
function resultOf(result: unknown): { readonly tag: "Ok" | "Failed"; readonly value: unknown } {
  const { tag, value } = (typeof result === "object" && result !== null ? result : {}) as { tag?: unknown; value?: unknown };
  if (tag !== "Ok" && tag !== "Failed") throw new Error("its result is neither ok(value) nor err(error)");
  return { tag, value };
}

function describe(thrown: unknown): string {
  return isFlowError(thrown) ? `${thrown.code}: ${thrown.message}` : reasonOf(thrown);
}
