/** What a method gets beside its arguments. */
import type { Codec } from "../codec/codec.ts";
import { FlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import type { JsonValue } from "../json/value.ts";
import { canonicalText } from "../json/write.ts";
import type { CallIds } from "../protocol/binding.ts";
import type { Stopping } from "../protocol/toolset.ts";
import type { CallView } from "../signature/callview.ts";
import { FlowDict } from "../values/dict.ts";
import { FlowSet } from "../values/set.ts";
import type { GenericToolContext, ToolContext } from "./author.ts";
import type { BoundTypes } from "./bound.ts";

/** The context of a call. */
export class Context implements ToolContext {
  readonly run: string;
  readonly call: string;
  private readonly stopping: Stopping;

  constructor({ run, call }: CallIds, stopping: Stopping) {
    this.run = run;
    this.call = call;
    this.stopping = stopping;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }
}

/** Views and values of type parameters were read under limits; what is written of them in here never leaves. */
const WITHIN = { depth: DEEPEST_LIMIT };

/** The context of a generic call. */
export class GenericContext extends Context implements GenericToolContext<string> {
  private readonly types: BoundTypes;

  constructor(ids: CallIds, stopping: Stopping, types: BoundTypes) {
    super(ids, stopping);
    this.types = types;
  }

  get view(): CallView {
    return this.types.view;
  }

  get schema(): JsonValue {
    return this.types.view.schema as JsonValue;
  }

  get ok(): Codec {
    return this.types.roots.ok;
  }

  get err(): Codec {
    return this.types.roots.err;
  }

  argument(name: string): Codec {
    const found = this.types.roots.params.find((param) => param.name === name);
    if (found === undefined) throw new FlowError("usage", `the Tool has no parameter ${JSON.stringify(name)}`);
    return found.codec;
  }

  codec(parameter: string): Codec | undefined {
    return this.types.codec(parameter);
  }

  fromJson(parameter: string, json: JsonValue): unknown {
    // By way of text, since a JSON string is a value here and would be a text to `Codec.decode`.
    return this.required(parameter).decode(canonicalText(json, WITHIN), { mode: "strict", grant: "all", limits: WITHIN });
  }

  toJson(parameter: string, value: unknown): JsonValue {
    return parseJson(this.required(parameter).encode(value, WITHIN), WITHIN);
  }

  compare(parameter: string, a: JsonValue, b: JsonValue): number {
    return this.types.carrier(parameter).compare(a, b);
  }

  equals(parameter: string, a: JsonValue, b: JsonValue): boolean {
    return this.compare(parameter, a, b) === 0;
  }

  set(parameter: string, items: Iterable<JsonValue>): FlowSet<JsonValue> {
    return FlowSet.from(items, this.types.carrier(parameter).compare);
  }

  dict<V>(parameter: string, entries: Iterable<readonly [JsonValue, V]>): FlowDict<JsonValue, V> {
    return FlowDict.from(entries, this.types.carrier(parameter).compare);
  }

  private required(parameter: string): Codec {
    const codec = this.codec(parameter);
    if (codec === undefined) throw new FlowError("not-decodable", `what ${parameter} is bound to has no encoding`);
    return codec;
  }
}
