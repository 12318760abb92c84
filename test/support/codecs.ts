/** Codecs of declarations in few words, and what they refuse. */
import { type Codec, codecFor, type DecodeOptions } from "../../src/codec/codec.ts";
import { FlowError } from "../../src/json/errors.ts";
import { type JsonValue, jsonObject } from "../../src/json/value.ts";
import type { Term } from "../../src/types/terms.ts";

/** The codec of a term over declarations made with `types/build.ts`. */
export function codecOf<T = unknown>(term: JsonValue, declarations: Record<string, JsonValue> = {}): Codec<T> {
  return codecFor<T>(term as unknown as Term, jsonObject(declarations));
}

/** Code and place of what is thrown, or "none". */
export function refusal(work: () => unknown): string {
  try {
    work();
  } catch (caught) {
    if (caught instanceof FlowError) return `${caught.code} ${String(caught.at)}`;
    throw caught;
  }
  return "none";
}

export function refusedText(codec: Codec, text: string, options?: DecodeOptions): string {
  return refusal(() => codec.decode(text, options));
}

export function refusedValue(codec: Codec, value: unknown): string {
  return refusal(() => codec.encode(value));
}
