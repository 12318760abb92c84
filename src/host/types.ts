/** The codecs of one call: its arguments out, its success or error value back. */
import { type Codec, codecFor } from "../codec/codec.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../json/limits.ts";
import { childPointer } from "../json/pointer.ts";
import { parseJson } from "../json/read.ts";
import { compareCodePoints } from "../json/text.ts";
import { isJsonObject } from "../json/value.ts";
import { writeString } from "../json/write.ts";
import type { Reply } from "../protocol/outcome.ts";
import type { Declarations, Parameter, Term } from "../types/terms.ts";

interface ParameterCodec {
  readonly name: string;
  /** `"name":` */
  readonly prefix: string;
  readonly codec: Codec;
}

/** The codecs of one call's concrete roots. */
export class CallTypes {
  readonly ok: Codec;
  readonly err: Codec;
  /** In the order of canonical text. */
  private readonly params: readonly ParameterCodec[];
  private readonly limits: Limits;

  constructor(
    roots: { readonly params: readonly Parameter[]; readonly ok: Term; readonly err: Term },
    declarations: Declarations,
    limits: Limits,
  ) {
    this.ok = codecFor(roots.ok, declarations);
    this.err = codecFor(roots.err, declarations);
    this.limits = limits;
    this.params = roots.params
      .map(({ name, type }) => ({ name, prefix: `${writeString(name, DEFAULT_LIMITS)}:`, codec: codecFor(type, declarations) }))
      .sort((a, b) => compareCodePoints(a.name, b.name));
  }

  /**
   * Canonical text of arguments, which are checked on the way. An argument of type Option is no record field: it is
   * `{ tag: "None" }` or `{ tag: "Some", value }` (R37).
   * @throws FlowError with a code of R35 and the pointer into the arguments
   */
  encodeArguments(args: Readonly<Record<string, unknown>>): string {
    if (typeof args !== "object" || args === null) throw new FlowError("kind", "expected the arguments as an object by parameter name");
    let text = "";
    for (const { name, prefix, codec } of this.params) {
      if (!Object.hasOwn(args, name))
        throw new FlowError("missing-member", `expected an argument for the parameter ${JSON.stringify(name)}`);
      text += text === "" ? prefix : `,${prefix}`;
      text += below(name, () => codec.encode(args[name], this.limits));
    }
    this.requireDeclared(args);
    return `{${text}}`;
  }

  /** Only judges arguments, where nobody wants their text. @throws FlowError as {@link encodeArguments} does */
  checkArguments(args: Readonly<Record<string, unknown>>): void {
    if (typeof args !== "object" || args === null) throw new FlowError("kind", "expected the arguments as an object by parameter name");
    for (const { name, codec } of this.params) {
      if (!Object.hasOwn(args, name))
        throw new FlowError("missing-member", `expected an argument for the parameter ${JSON.stringify(name)}`);
      below(name, () => codec.check(args[name], this.limits));
    }
    this.requireDeclared(args);
  }

  private requireDeclared(args: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(args)) {
      if (this.params.some((param) => param.name === name)) continue;
      throw new FlowError("undeclared-member", `there is no parameter ${JSON.stringify(name)}`, { at: childPointer("", name) });
    }
  }

  /**
   * Arguments in a JSON text, decoded strictly: a run's input, or what is supplied to a fork (R5).
   * @throws FlowError with a code of R35 and the pointer into the arguments
   */
  decodeArguments(source: string | Uint8Array): Readonly<Record<string, unknown>> {
    const json = parseJson(source, this.limits);
    if (!isJsonObject(json)) throw new FlowError("kind", "expected an object of values by parameter name");
    const values = Object.create(null) as Record<string, unknown>;
    for (const { name, codec } of this.params) {
      const value = json[name];
      if (value === undefined) throw new FlowError("missing-member", `expected a value for the parameter ${JSON.stringify(name)}`);
      values[name] = below(name, () => codec.decodeRead(value, "strict", "none"));
    }
    this.requireDeclared(json);
    return values;
  }

  /** The value in a reply. @throws FlowError where it is none of the codec's type */
  valueOf(codec: Codec, reply: Extract<Reply, { tag: "Ok" | "Failed" }>): unknown {
    if ("text" in reply) return codec.decode(reply.text, { mode: "lenient", grant: "tokens", limits: this.limits });
    if ("json" in reply) return codec.decodeRead(reply.json, "lenient", "tokens");
    codec.check(reply.value, this.limits);
    return reply.value;
  }
}

/** Puts an error's pointer below a member. */
export function below<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (caught) {
    if (!isFlowError(caught) || typeof caught.at !== "string") throw caught;
    throw new FlowError(caught.code, `${caught.message} (in ${JSON.stringify(name)})`, {
      at: childPointer("", name) + caught.at,
      cause: caught,
    });
  }
}
