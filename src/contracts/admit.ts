/** JSON/1 values of plain JavaScript data, such as a function's reply. */
import { asFlowError, Refusal } from "../json/errors.ts";
import { exceedsUtf8, isWellFormed, utf8Length } from "../json/text.ts";
import { placed, readJson1, tooMany } from "./json1.ts";
import { bareObject, isJson1Number, JSON1_LIMITS, Json1Text, type Json1Value, NUMBER } from "./model.ts";

/**
 * The JSON/1 value that plain JavaScript data stands for, as a tree of its own: later changes to the data do not reach
 * it. Members that are `undefined` are left out, as `JSON.stringify` does; a {@link Json1Text} is read where it is the
 * whole value.
 * @throws FlowError `kind`, `number`, `lone-surrogate` or `limit`, and those of {@link readJson1} for a text.
 */
export function admitJson1(value: unknown): Json1Value {
  if (value instanceof Json1Text) return readJson1(value.text);
  try {
    return new Admission().value(value, 1);
  } catch (caught) {
    throw asFlowError(caught);
  }
}

class Admission {
  private values = 0;
  /** The least a text of the value can take: every value a byte, strings and names their bytes. */
  private bytes = 0;

  value(value: unknown, depth: number): Json1Value {
    // A cycle ends at the limit on depth, and sharing at the limit on values.
    if (depth > JSON1_LIMITS.depth) throw tooMany(`values nested at most ${JSON1_LIMITS.depth} deep`);
    if (++this.values > JSON1_LIMITS.values) throw tooMany(`at most ${JSON1_LIMITS.values} values in one document`);
    switch (typeof value) {
      case "boolean":
        return value;
      case "string":
        return this.string(value, JSON1_LIMITS.stringBytes, "a string");
      case "number":
        if (!isJson1Number(value)) throw new Refusal("number", NUMBER, String(value));
        return value === 0 ? 0 : value;
      case "object":
        if (value === null) return null;
        if (Array.isArray(value)) return this.array(value, depth);
        if (isPlain(value)) return this.object(value as Readonly<Record<string, unknown>>, depth);
        throw new Refusal("kind", "plain JSON data", "an object of a class");
      default:
        throw new Refusal("kind", "plain JSON data", typeof value === "undefined" ? "nothing" : `a ${typeof value}`);
    }
  }

  private array(source: readonly unknown[], depth: number): Json1Value {
    if (source.length > JSON1_LIMITS.items) throw tooMany(`at most ${JSON1_LIMITS.items} items in an array`, `${source.length} items`);
    const items: Json1Value[] = [];
    for (let i = 0; i < source.length; i++) {
      try {
        items.push(this.value(source[i], depth + 1));
      } catch (caught) {
        throw placed(caught, i);
      }
    }
    return items;
  }

  private object(source: Readonly<Record<string, unknown>>, depth: number): Json1Value {
    const names = Object.keys(source);
    if (names.length > JSON1_LIMITS.members) throw tooMany(`at most ${JSON1_LIMITS.members} members in an object`);
    const members = bareObject();
    for (const name of names) {
      const member = source[name];
      if (member === undefined) continue;
      this.string(name, JSON1_LIMITS.nameBytes, "a member name");
      try {
        members[name] = this.value(member, depth + 1);
      } catch (caught) {
        throw placed(caught, name);
      }
    }
    return members;
  }

  private string(text: string, limit: number, what: string): string {
    if (!isWellFormed(text)) throw new Refusal("lone-surrogate", `${what} of Unicode scalar values`);
    if (exceedsUtf8(text, limit)) throw tooMany(`${what} of at most ${limit} bytes`);
    this.bytes += utf8Length(text);
    if (this.bytes > JSON1_LIMITS.bytes) throw tooMany(`a document of at most ${JSON1_LIMITS.bytes} bytes`);
    return text;
  }
}

/** Whether an object is data: without a prototype, or with one that has none, as `Object.prototype` of every realm is. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
