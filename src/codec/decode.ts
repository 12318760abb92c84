/**
 * The two ways from a text to a value. The quick one lets `JSON.parse` read the text and turns the tree into the value,
 * keeping books that show whether anything was lost; the exact one reads everything itself, and explains. Where the
 * quick one finds the least fault or doubt, its work is thrown away and the exact one has the word, so that there is
 * one judge of what is refused and why.
 */
import type { Limits } from "../json/limits.ts";
import { Output } from "../json/output.ts";
import { isPolluted } from "../json/plain.ts";
import { fromSource, readExact, sourceText } from "../json/read.ts";
import type { JsonValue } from "../json/value.ts";
import { writeJson } from "../json/write.ts";
import { Account, GIVE_UP } from "./account.ts";
import type { DecodeContext, Node } from "./node.ts";
import { fewValues, HAZARD, mayNestDeeply, scan } from "./scan.ts";

/** What a decoding may build (R14): neither host tokens nor opaque types; host tokens; both. */
export type Grant = "none" | "tokens" | "all";

/** `lenient` skips members that a record does not declare, `strict` refuses them (R5). */
export type Mode = "lenient" | "strict";

/** A type as decoding needs it. */
export interface Decodable {
  readonly node: Node;
  /** The units of the longest name that its declarations have: a limit on strings may be lower. */
  readonly longestName: number;
}

/** Below this many digits the quick way, which takes numbers of up to 15, is not asked. */
const QUICK_DIGITS = 16;

export const FAILED: unique symbol = Symbol("failed");

/** @throws Refusal the first fault: of the text, then of the type. */
export function decodeText(type: Decodable, source: string | Uint8Array, context: DecodeContext, limits: Limits): unknown {
  const text = sourceText(source, limits);
  const value = decodeQuickly(type, text, source, context, limits);
  return value === FAILED ? fromSource(source, text, () => decodeExactly(type.node, text, context, limits)) : value;
}

/** The value, or {@link FAILED} wherever it is not certain that the exact way would find the same. */
export function decodeQuickly(
  { node, longestName }: Decodable,
  text: string,
  source: string | Uint8Array,
  context: DecodeContext,
  limits: Limits,
): unknown {
  if (limits.digits < QUICK_DIGITS || limits.string < 3 * longestName || isPolluted()) return FAILED;
  const account = Account.open(context, text, limits);
  if (account === undefined) return FAILED;
  // Each value takes two characters, itself and what parts it from the next: shorter texts cannot have too many.
  const most = Math.min(limits.values, limits.members);
  const many = (text.length > 2 * most && !fewValues(source, most)) || mayNestDeeply(source);
  const counted = many ? scan(source, limits) : HAZARD;
  if (many && counted === HAZARD) return FAILED;
  try {
    const value = node.take(JSON.parse(text), account);
    const whole = many ? counted === account.members : account.covers(text) || scan(source, limits) === account.members;
    return whole ? value : FAILED;
  } catch (caught) {
    if (caught === GIVE_UP || caught instanceof SyntaxError) return FAILED;
    throw caught;
  }
}

/** The exact way alone. @throws Refusal */
export function decodeExactly(node: Node, text: string, context: DecodeContext, limits: Limits): unknown {
  return node.decode(readExact(text, limits), context);
}

/**
 * Decodes a tree that somebody else made: what its canonical text says. So it is judged by the limits, whatever its
 * getters do, and the value shares nothing with it.
 * @throws Refusal
 */
export function decodeTree(type: Decodable, json: JsonValue, context: DecodeContext, limits: Limits): unknown {
  const text = Output.textOf(limits, (output) => writeJson(json, output));
  return decodeText(type, text, context, limits);
}

export function contextOf(mode: Mode, grant: Grant): DecodeContext {
  return { strict: mode === "strict", tokens: grant !== "none", opaque: grant === "all" };
}
