/**
 * What a term compiles to. One node serves every way of using its type: reading JSON, writing canonical text,
 * comparing. Nodes are made once for a graph of declarations and refer to one another directly, so that recursive
 * types are cycles of nodes and nothing is looked up while a value is walked.
 */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import type { Output } from "../json/output.ts";
import { describeJson } from "../json/value.ts";
import type { Account } from "./account.ts";

/** How one decoding reads. */
export interface DecodeContext {
  /** Whether a member that a record does not declare fails (R5). */
  readonly strict: boolean;
  /** Whether host tokens may be made (R14). */
  readonly tokens: boolean;
  /** Whether opaque types may be made (R14). */
  readonly opaque: boolean;
}

/** A compiled term. */
export interface Node {
  /** The type as a sentence names it: `Int`, `List<docs.Item>`. */
  readonly title: string;
  /** Whether `null` is an encoding of a value of the type (json.Value, host tokens): decides what null means in an Option field. */
  readonly takesNull: boolean;
  /** Whether `undefined` is a value of the type (Unit). */
  readonly takesUndefined: boolean;
  /**
   * The value of exact JSON.
   * @throws Refusal
   */
  decode(json: JsonTree, context: DecodeContext): unknown;
  /**
   * The value of what `JSON.parse` made of a text: the quick way. The tree belongs to nobody else, so a record is the
   * very object that was parsed, its fields replaced where they change, and so is a list.
   * @param account Told of every value, so that it can tell whether the tree is all there was (`account.ts`).
   * @throws `GIVE_UP`, and nothing else
   */
  take(json: unknown, account: Account): unknown;
  /**
   * {@link take} for all items of an array that is not empty, where a loop of their own serves them better.
   *
   * V8 keeps numbers in arrays of their own kinds. A loop that has met other arrays too would turn each of those into
   * an array of objects before it reads the first number: a third of the time of a list of prices.
   */
  takeAll?(json: readonly unknown[], account: Account): unknown[];
  /**
   * Writes the canonical text of a value, which is checked on the way.
   * @throws Refusal
   */
  write(value: unknown, output: Output): void;
  /** The order of two values (R12). @throws Refusal `order` where it meets a type without one, `kind` for values of another type. */
  compare(a: unknown, b: unknown): number;
}

/** Exact JSON (`JsonValue`), which nodes look at piece by piece. */
export type JsonTree = unknown;

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

/** Puts a segment in front of a refusal's pointer and passes everything else on. */
export function under(caught: unknown, segment: string | number): unknown {
  return caught instanceof Refusal ? caught.under(segment) : caught;
}

/** Names the declaration that owns the place of a refusal, unless one inside it did, and passes everything else on. */
export function owned(caught: unknown, owner: string): unknown {
  if (caught instanceof Refusal) caught.owner ??= owner;
  return caught;
}

/** A value in a sentence, JSON or not. Nothing that the value itself does can make it fail. */
export function describeValue(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Decimal) {
    if (typeof value === "number") return `the JavaScript number ${value}`;
    return value === undefined ? "undefined" : describeJson(value);
  }
  try {
    const maker: unknown = (value as { constructor?: unknown }).constructor;
    const name = typeof maker === "function" ? String(maker.name) : "";
    return name === "" || name === "Object" ? describeJson(value) : `a ${name} (${describeShort(value)})`;
  } catch {
    return "an object";
  }
}

function describeShort(value: object): string {
  const text = String((value as Decimal).toString());
  return text.length <= 40 ? text : `${text.slice(0, 32)}…`;
}

/** Whether a value is an object: neither null nor an array. Decimals stand for numbers and are told apart by the caller. */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** How many members an object seems to have: more or fewer than expected, and it is looked at closely. A third of the time of `Object.keys().length`. */
export function countMembers(record: object): number {
  let count = 0;
  for (const _ in record) count++;
  return count;
}

/**
 * Whether an object may stand for a record or an enum value: a plain one, or one of a class, but none of the
 * platform's, whose contents are not its members (a Map, a Promise somebody forgot to await).
 */
export function isRecordLike(value: object): boolean {
  return Object.prototype.toString.call(value) === "[object Object]";
}
