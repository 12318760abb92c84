/** Changes of a text that know nothing of what it means. */
import type { Random } from "../types/random.ts";

/** Past it an input is cut: most of what goes wrong goes wrong in short ones, and those are quick. */
const LONGEST = 24_000;

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

/** A length: mostly short, now and then up to `most`. */
function length(random: Random, most: number): number {
  return Math.min(most, 1 + random(random(4) === 0 ? Math.max(1, most) : 8));
}

/** Characters that some reader treats specially. */
const CHARACTERS = [
  ..."\"\\/{}[]()<>,:.;-+_@#$'`|=*&!? \t\n\r\0\v\f\b",
  ..."0123456789aAbBeEfFnNrRtTuUxXzZ",
  ..."\u007f\u0080\u00a0\u00e9\u00ff\u0100\u07ff\u0800\u2028\u2029\ufeff\ufffd\uffff",
  "\ud800",
  "\udc00",
  "\ud83d\ude00",
  "\u{10ffff}",
];

/**
 * One change of a text.
 * @param words What the language of the target is made of.
 * @param other Another text, to take a piece of.
 */
export function mutateText(text: string, random: Random, words: readonly string[], other: string): string {
  const at = random(text.length + 1);
  const end = Math.min(text.length, at + length(random, text.length - at));
  switch (random(10)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, at) + pick(random, CHARACTERS) + text.slice(at);
    case 2:
      return text.slice(0, at) + pick(random, CHARACTERS) + text.slice(end);
    case 3:
      return text.slice(0, at) + pick(random, words) + text.slice(at);
    case 4:
      return text.slice(0, at) + pick(random, words) + text.slice(end);
    case 5:
      return text.slice(0, end) + text.slice(at);
    case 6: {
      const from = random(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + length(random, other.length - from)) + text.slice(end);
    }
    case 7:
      return random(4) === 0 ? text.slice(0, at) : text.slice(0, at) + other.slice(random(other.length + 1));
    case 8:
      return bounded(text.slice(0, at) + text.slice(at, end).repeat(2 ** random(12)) + text.slice(end));
    default: {
      const moved = text.slice(at, end);
      const rest = text.slice(0, at) + text.slice(end);
      const to = random(rest.length + 1);
      return rest.slice(0, to) + moved + rest.slice(to);
    }
  }
}

/** One change of bytes, each a character below U+0100. */
export function mutateBytes(bytes: string, random: Random, words: readonly string[], other: string): string {
  if (random(3) > 0) return asBytes(mutateText(bytes, random, words, other));
  const at = random(bytes.length);
  const unit = bytes.charCodeAt(at);
  const changed = random(2) === 0 ? unit ^ (1 << random(8)) : random(256);
  return bytes.slice(0, at) + String.fromCharCode(changed & 255) + bytes.slice(at + 1);
}

/** Characters past U+00FF as the bytes of their UTF-8. */
export function asBytes(text: string): string {
  return text.replace(/[\u0100-\uffff]+/g, (wide) => latin1Of(new TextEncoder().encode(wide)));
}

export function latin1Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function bytesOf(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}

export function bounded(text: string): string {
  return text.length <= LONGEST ? text : text.slice(0, LONGEST);
}
