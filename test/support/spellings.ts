/** The many texts of one JSON value, and texts with something changed: for properties that must hold of every text. */
import { Decimal } from "../../src/json/decimal.ts";
import type { JsonValue } from "../../src/json/value.ts";
import type { Random } from "../types/random.ts";

export interface Spelling {
  /** White space between tokens. */
  readonly spaces?: boolean;
  /** Members of objects in any order. */
  readonly shuffled?: boolean;
  /** Escapes where none is needed. */
  readonly escapes?: boolean;
  /** Numbers with exponents and needless zeros. */
  readonly numbers?: boolean;
}

const ALL: Spelling = { spaces: true, shuffled: true, escapes: true, numbers: true };

/** One of the texts that stand for a value. Sets keep their order: arrays are not shuffled. */
export function spelled(random: Random, json: JsonValue, spelling: Spelling = ALL): string {
  const space = (): string =>
    spelling.spaces === true && random(3) === 0 ? (["", " ", "\n", "\t", "\r\n", "  "][random(6)] as string) : "";
  const value = (it: JsonValue): string => space() + bare(it) + space();
  const bare = (it: JsonValue): string => {
    if (it === null || typeof it === "boolean") return String(it);
    if (typeof it === "string") return string(random, it, spelling);
    if (typeof it === "bigint" || it instanceof Decimal) return number(random, String(it), spelling);
    if (Array.isArray(it)) return `[${it.length === 0 ? space() : it.map(value).join(",")}]`;
    const members = Object.entries(it).map(([name, member]) => `${space()}${string(random, name, spelling)}${space()}:${value(member)}`);
    if (spelling.shuffled === true) shuffle(random, members);
    return `{${members.length === 0 ? space() : members.join(",")}}`;
  };
  return value(json);
}

export function shuffle(random: Random, items: unknown[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
}

function string(random: Random, text: string, { escapes = false }: Spelling): string {
  if (!escapes || random(2) === 0) return JSON.stringify(text);
  let out = '"';
  for (const character of text) {
    const pick = random(4);
    if (pick === 0) for (let i = 0; i < character.length; i++) out += escape4(random, character.charCodeAt(i));
    else if (character === "/" && pick === 1) out += "\\/";
    else out += JSON.stringify(character).slice(1, -1);
  }
  return `${out}"`;
}

function escape4(random: Random, unit: number): string {
  const hex = unit.toString(16).padStart(4, "0");
  return `\\u${random(2) === 0 ? hex : hex.toUpperCase()}`;
}

/** A plain number text in another spelling of the same value. */
function number(random: Random, plain: string, { numbers = false }: Spelling): string {
  if (!numbers || random(2) === 0) return plain;
  const [sign, digits] = plain.startsWith("-") ? ["-", plain.slice(1)] : ["", plain];
  const [whole = "0", fraction = ""] = digits.split(".");
  const pick = random(5);
  if (pick === 0) return `${sign}${whole}.${fraction}${"0".repeat(1 + random(20))}`;
  if (pick === 1) return `${plain}${["e0", "E+0", "e-00"][random(3)]}`;
  // All digits before the point, or all behind it.
  const all = `${whole}${fraction}`.replace(/^0+(?=\d)/, "");
  if (pick === 2) return `${sign}${all}e-${fraction.length}`;
  if (pick === 3) return `${sign}0.${all}E${all.length - fraction.length}`;
  const zeros = /0*$/.exec(whole)?.[0].length ?? 0;
  return fraction === "" && zeros > 0 && zeros < whole.length
    ? `${sign}${whole.slice(0, -zeros)}e${zeros}`
    : `${sign}${digits}${fraction === "" ? ".0" : "0"}`;
}

/** Pieces that make a text wrong, or right in an unexpected way. */
const PIECES = [
  '"',
  "\\",
  "\\u",
  "\\ud83d",
  "\\ude00",
  "\\ud83d\\ude00",
  "\ud83d",
  "\ude00",
  "\u{1f600}",
  "\ufeff",
  "\u00a0",
  "\u0000",
  "\u001f",
  "\u007f",
  " ",
  "\n",
  ",",
  ":",
  "[",
  "]",
  "{",
  "}",
  "[]",
  "{}",
  "0",
  "00",
  "1e3",
  "e5",
  "E-2",
  ".5",
  "-",
  "+",
  "1e400",
  "1e-400",
  "9007199254740993",
  "0.1000000000000000055",
  "123456789012345678",
  "1000",
  "null",
  "true",
  '"a"',
  '"__proto__":1,',
  '"a":1,',
  ',"x":[]',
  '{"Some":1}',
  "NaN",
  "Infinity",
  "//",
  "'",
];

/** A text with a few characters taken away, put in, doubled or swapped. */
export function damaged(random: Random, text: string): string {
  let out = text;
  for (let edits = 1 + random(3); edits > 0; edits--) {
    const at = random(out.length + 1);
    const end = Math.min(out.length, at + 1 + random(6));
    const piece = PIECES[random(PIECES.length)] as string;
    const pick = random(6);
    if (pick === 0) out = out.slice(0, at) + out.slice(end);
    else if (pick === 1) out = out.slice(0, at) + piece + out.slice(at);
    else if (pick === 2) out = out.slice(0, at) + piece + out.slice(end);
    else if (pick === 3) out = out.slice(0, end) + out.slice(at);
    else if (pick === 4) out = doubledMember(random, out);
    else out = replacedToken(random, out, piece);
  }
  return out;
}

/** A member once more, somewhere in its object, perhaps with other white space or another value. */
function doubledMember(random: Random, text: string): string {
  const members = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-+.\w]+|\[\]|\{\})/g)];
  const member = members[random(Math.max(1, members.length))];
  if (member === undefined) return text;
  const again = random(2) === 0 ? member[0] : `${member[0].slice(0, member[0].indexOf(":"))}:${random(10)}`;
  return `${text.slice(0, member.index)}${again},${text.slice(member.index)}`;
}

function replacedToken(random: Random, text: string, piece: string): string {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[-+.\w]+/g)];
  const token = tokens[random(Math.max(1, tokens.length))];
  return token === undefined ? text : text.slice(0, token.index) + piece + text.slice(token.index + token[0].length);
}
