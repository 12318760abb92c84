/** The codecs of one call: its arguments out, its success or error value back. */
import { type Codec, codecFor } from "../codec/codec.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../json/limits.ts";
import { childPointer } from "../json/pointer.ts";
import { compareCodePoints } from "../json/text.ts";
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
    for (const name of Object.keys(args)) {
      if (!this.params.some((param) => param.name === name)) {
        throw new FlowError("undeclared-member", `there is no parameter ${JSON.stringify(name)}`, { at: childPointer("", name) });
      }
    }
    return `{${text}}`;
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
