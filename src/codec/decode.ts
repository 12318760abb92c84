/**
 * The two ways from a text to a value. The fast one lets `JSON.parse` read what it reads exactly and turns the tree
 * into the value; the exact one reads everything, and explains. Both walk the tree with the same nodes, so they
 * cannot disagree about a type; what the native parser could lose is kept from it by the scan and by the count of
 * members.
 */

import { requireJson } from "../json/admit.ts";
import { Refusal } from "../json/errors.ts";
import type { Limits } from "../json/limits.ts";
import { readExact, sourceText } from "../json/read.ts";
import type { JsonValue } from "../json/value.ts";
import type { DecodeContext, Node } from "./node.ts";
import { HAZARD, scan } from "./scan.ts";

/** What a decoding may build (R14): neither host tokens nor opaque types; host tokens; both. */
export type Grant = "none" | "tokens" | "all";

/** `lenient` skips members that a record does not declare, `strict` refuses them (R5). */
export type Mode = "lenient" | "strict";

/** @throws Refusal the first fault: of the text, then of the type. */
export function decodeText(node: Node, source: string | Uint8Array, mode: Mode, grant: Grant, limits: Limits): unknown {
  const text = sourceText(source, limits);
  const members = scan(text, limits);
  if (members !== HAZARD) {
    const context = contextOf(mode, grant, true);
    try {
      const value = node.decode(JSON.parse(text), context);
      if (context.members === members) return value;
    } catch (caught) {
      if (!(caught instanceof Refusal || caught instanceof SyntaxError)) throw caught;
    }
  }
  return decodeExactly(node, text, mode, grant, limits);
}

/** The exact way alone. @throws Refusal */
export function decodeExactly(node: Node, text: string, mode: Mode, grant: Grant, limits: Limits): unknown {
  return node.decode(readExact(text, limits), contextOf(mode, grant, false));
}

/** Decodes a tree that somebody else made, which is judged by the limits first. @throws Refusal */
export function decodeTree(node: Node, json: JsonValue, mode: Mode, grant: Grant, limits: Limits): unknown {
  requireJson(json, limits);
  return node.decode(json, contextOf(mode, grant, false));
}

/** Decodes a tree that this library's reader made under the limits that count. @throws Refusal */
export function decodeRead(node: Node, json: JsonValue, mode: Mode, grant: Grant): unknown {
  return node.decode(json, contextOf(mode, grant, false));
}

function contextOf(mode: Mode, grant: Grant, native: boolean): DecodeContext {
  return { strict: mode === "strict", tokens: grant !== "none", opaque: grant === "all", native, members: 0 };
}
