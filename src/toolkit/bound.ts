/** The types of generic calls, read once for all calls that bring the same views. */
import { carriedCodec, carriedCodecs } from "../codec/carried.ts";
import { type Codec, codecFor } from "../codec/codec.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import type { JsonValue } from "../json/value.ts";
import type { CallView } from "../signature/callview.ts";
import type { Parameter, TypeSpec } from "../types/terms.ts";

/** The codecs of a call's roots. In a generic call, values of a type parameter are JSON in them. */
export interface RootCodecs {
  readonly params: readonly { readonly name: string; readonly codec: Codec }[];
  readonly ok: Codec;
  readonly err: Codec;
}

/** One set of bindings of a generic Tool: the view that was validated, and the codecs that follow from it. */
export class BoundTypes {
  readonly view: CallView;
  readonly roots: RootCodecs;
  private readonly carriers = new Map<string, Codec<JsonValue>>();
  private readonly codecs = new Map<string, Codec | undefined>();

  /** @throws FlowError `bounds`, before any code of the author's runs */
  constructor(spec: TypeSpec, view: CallView) {
    this.view = view;
    this.roots = carriedCodecs(spec, view);
  }

  /** The codec of a type parameter whose values are JSON. @throws FlowError `usage` for a name that is none */
  carrier(parameter: string): Codec<JsonValue> {
    let codec = this.carriers.get(parameter);
    if (codec === undefined) {
      codec = carriedCodec(this.binding(parameter).type, this.view.declarations);
      this.carriers.set(parameter, codec);
    }
    return codec;
  }

  /** The codec of a type parameter with values of its own, where it has one. @throws FlowError `usage` for a name that is none */
  codec(parameter: string): Codec | undefined {
    if (!this.codecs.has(parameter)) this.codecs.set(parameter, this.usable(this.binding(parameter)));
    return this.codecs.get(parameter);
  }

  /** Whatever has a schema has an encoding: a function, a Task or a nondata type in it has neither. */
  private usable({ type }: Parameter): Codec | undefined {
    try {
      const codec = codecFor(type, this.view.declarations);
      codec.schema();
      return codec;
    } catch (caught) {
      if (isFlowError(caught)) return undefined;
      throw caught;
    }
  }

  private binding(parameter: string): Parameter {
    const found = this.view.bindings.find(({ name }) => name === parameter);
    if (found === undefined) throw new FlowError("usage", `the Tool has no type parameter ${JSON.stringify(parameter)}`);
    return found;
  }
}
