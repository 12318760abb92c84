/** What a method gets beside its arguments. */
import { carriedCodec } from "../codec/carried.ts";
import { type Codec, codecFor } from "../codec/codec.ts";
import { FlowError } from "../json/errors.ts";
import type { JsonValue } from "../json/value.ts";
import type { CallIds } from "../protocol/binding.ts";
import type { CallView } from "../signature/callview.ts";
import { FlowDict } from "../values/dict.ts";
import { FlowSet } from "../values/set.ts";

/** The context of a call. Its signal fires when the host asks to stop. */
export class Context implements CallIds {
  readonly run: string;
  readonly call: string;
  private readonly given: AbortSignal;

  constructor({ run, call }: CallIds, signal: AbortSignal) {
    this.run = run;
    this.call = call;
    this.given = signal;
  }

  get signal(): AbortSignal {
    return this.given;
  }
}

/** The codecs of the call's roots, in which values of a type parameter are JSON. */
interface RootCodecs {
  readonly params: readonly { readonly name: string; readonly codec: Codec }[];
  readonly ok: Codec;
  readonly err: Codec;
}

/** The context of a generic call: the caller's types, validated before the method ran. */
export class GenericContext extends Context {
  readonly view: CallView;
  private readonly roots: RootCodecs;

  constructor(ids: CallIds, signal: AbortSignal, view: CallView, roots: RootCodecs) {
    super(ids, signal);
    this.view = view;
    this.roots = roots;
  }

  /** The schema of the success type, as the call gave it. */
  get schema(): JsonValue {
    return this.view.schema as JsonValue;
  }

  /** The codec of the success type. */
  get ok(): Codec {
    return this.roots.ok;
  }

  /** The codec of the error type. */
  get err(): Codec {
    return this.roots.err;
  }

  /** The codec of a parameter of the Tool. @throws FlowError `usage` for a name it does not have */
  argument(name: string): Codec {
    const found = this.roots.params.find((param) => param.name === name);
    if (found === undefined) throw new FlowError("usage", `the Tool has no parameter ${JSON.stringify(name)}`);
    return found.codec;
  }

  /**
   * The codec of what a type parameter is bound to, with real values in place of JSON; `undefined` where that has none
   * of its own (a function, a Task), which refuses no call whose roots do not need one.
   */
  codec(parameter: string): Codec | undefined {
    const { type } = this.binding(parameter);
    try {
      const codec = codecFor(type, this.view.declarations);
      codec.schema();
      return codec;
    } catch {
      return undefined;
    }
  }

  /** The order of two JSON values of a type parameter: by the bound type, not by JSON (R12). */
  compare(parameter: string, a: JsonValue, b: JsonValue): number {
    return this.carried(parameter).compare(a, b);
  }

  equals(parameter: string, a: JsonValue, b: JsonValue): boolean {
    return this.compare(parameter, a, b) === 0;
  }

  /** A set of JSON values of a type parameter, in the order of the bound type. */
  set(parameter: string, items: Iterable<JsonValue>): FlowSet<JsonValue> {
    return FlowSet.from(items, this.carried(parameter).compare);
  }

  /** A dictionary whose keys are JSON values of a type parameter, in the order of the bound type. */
  dict<V>(parameter: string, entries: Iterable<readonly [JsonValue, V]>): FlowDict<JsonValue, V> {
    return FlowDict.from(entries, this.carried(parameter).compare);
  }

  private carried(parameter: string): Codec<JsonValue> {
    const { type } = this.binding(parameter);
    return carriedCodec(type, this.view.declarations);
  }

  private binding(parameter: string): CallView["bindings"][number] {
    const found = this.view.bindings.find(({ name }) => name === parameter);
    if (found === undefined) throw new FlowError("usage", `the Tool has no type parameter ${JSON.stringify(parameter)}`);
    return found;
  }
}
