/**
 * What a term compiles to. One node serves every way of using its type: reading JSON, writing canonical text,
 * comparing. Nodes are made once for a graph of declarations and refer to one another directly, so that recursive
 * types are cycles of nodes and nothing is looked up while a value is walked.
 */
import type { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import type { Limits } from "../json/limits.ts";
import { tooMany } from "../json/read.ts";
import { describeJson } from "../json/value.ts";

/** How one decoding reads, and what it has seen. */
export interface DecodeContext {
  /** Whether a member that a record does not declare fails (R5). */
  readonly strict: boolean;
  /** Whether host tokens may be made (R14). */
  readonly tokens: boolean;
  /** Whether opaque types may be made (R14). */
  readonly opaque: boolean;
  /**
   * Whether the tree came from `JSON.parse`: its numbers are JavaScript numbers of at most 15 digits, and its objects
   * belong to nobody else, so that a record is the very object that was parsed, its fields replaced where they change.
   */
  readonly native: boolean;
  /** How many members of objects were met, to be compared with the members of the text (only where `native`). */
  members: number;
}

/** How one encoding writes. */
export interface EncodeContext {
  readonly limits: Limits;
  /** The depth of the value that is being written; the root's is 1. */
  depth: number;
}

/** A compiled term. */
export interface Node {
  /** The type as a sentence names it: `Int`, `List<docs.Item>`. */
  readonly title: string;
  /** Whether `null` is an encoding of a value of the type (json.Value, host tokens): decides what null means in an Option field. */
  readonly takesNull: boolean;
  /** Whether `undefined` is a value of the type (Unit). */
  readonly takesUndefined: boolean;
  /** The types its values are made of, for questions about the whole type (`facts.ts`). Known once compiling has ended. */
  children(): readonly Node[];
  /**
   * The value of a JSON tree: exact JSON, or what `JSON.parse` made (`DecodeContext.native`).
   * @throws Refusal
   */
  decode(json: unknown, context: DecodeContext): unknown;
  /**
   * The canonical text of a value, which is checked on the way.
   * @throws Refusal
   */
  write(value: unknown, context: EncodeContext): string;
  /** The order of two values (R12). @throws Refusal `order` where it meets a type without one. */
  compare(a: unknown, b: unknown): number;
}

/** A title for sentences, cut where generic declarations make it long: few lines can name a type of 2^30 terms. */
export function titled(title: string): string {
  return title.length <= 120 ? title : `${title.slice(0, 110)}…`;
}

/** The titles of several types, for one title. */
export function titles(nodes: readonly Node[]): string {
  return nodes.map((node) => node.title).join(", ");
}

/** `expected` is a type's title or a phrase; the sentence is completed where the refusal leaves the codec. */
export function refuseKind(expected: string, met: unknown): Refusal {
  return new Refusal("kind", expected, describeValue(met));
}

/**
 * Steps into a container that is not empty.
 * @throws Refusal `limit` where what it holds would lie too deep; the stack is bounded by this as well.
 */
export function descend(context: EncodeContext): void {
  if (++context.depth > context.limits.depth) throw tooMany("depth", `values nested at most ${context.limits.depth} deep`);
}

/** Puts a segment in front of a refusal's pointer and passes everything else on. */
export function under(caught: unknown, segment: string | number): unknown {
  return caught instanceof Refusal ? caught.under(segment) : caught;
}

/** Like {@link under}, and names the declaration that owns the place, unless one inside it did. */
export function owned(caught: unknown, owner: string): unknown {
  if (caught instanceof Refusal) caught.owner ??= owner;
  return caught;
}

/** A value in a sentence, JSON or not. */
export function describeValue(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (typeof value === "number") return `the JavaScript number ${value}`;
    return value === undefined ? "undefined" : describeJson(value);
  }
  const maker: unknown = (value as { constructor?: unknown }).constructor;
  const name = typeof maker === "function" ? maker.name : "";
  return name === "" || name === "Object" ? describeJson(value) : `a ${name} (${describeShort(value)})`;
}

function describeShort(value: object): string {
  const text = String((value as Decimal).toString?.() ?? "");
  return text.length <= 40 ? text : `${text.slice(0, 32)}…`;
}

/** Whether JSON is an object: neither null nor an array. Decimals stand for numbers and are told apart by the caller. */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
