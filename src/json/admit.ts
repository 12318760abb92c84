/** Judging JSON trees that came from elsewhere than this room's reader. */
import { Decimal } from "./decimal.ts";
import { Refusal } from "./errors.ts";
import type { Limits } from "./limits.ts";
import { tooMany } from "./read.ts";
import { exceedsUtf8 } from "./text.ts";
import { describeJson, emptyObject, type JsonValue } from "./value.ts";
import { isPlainObject, writeJson } from "./write.ts";

/**
 * Finds out whether a tree is exact JSON within the limits: writing it does, since the writer refuses everything that
 * its reader would not read back. Trees from elsewhere are small or rare; what a text holds is judged while it is read.
 * @throws Refusal
 */
export function requireJson(json: JsonValue, limits: Limits): void {
  const text = writeJson(json, limits, 1);
  if (exceedsUtf8(text, limits.bytes)) throw tooMany("bytes", `a document of at most ${limits.bytes} UTF-8 bytes`);
}

/**
 * Exact JSON made of what other libraries hold as parsed JSON (R44): a safe-integer number is that integer, any other
 * number is its shortest decimal text; members that are `undefined` are left out, as `JSON.stringify` does.
 * @throws Refusal `kind` for what is no JSON, `limit` for values nested past the limit on depth.
 */
export function jsonFromPlain(value: unknown, limits: Limits, depth = 1): JsonValue {
  if (depth > limits.depth) throw new Refusal("limit", `values nested at most ${limits.depth} deep (limit depth)`);
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : fromFraction(value);
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "object": {
      if (value === null || value instanceof Decimal) return value;
      if (Array.isArray(value)) return value.map((item, i) => placed(item, limits, depth, i));
      if (!isPlainObject(value)) break;
      const members = emptyObject();
      for (const [name, member] of Object.entries(value)) {
        if (member !== undefined) members[name] = placed(member, limits, depth, name);
      }
      return members;
    }
  }
  throw new Refusal("kind", "parsed JSON", describeJson(value));
}

function placed(value: unknown, limits: Limits, depth: number, segment: string | number): JsonValue {
  try {
    return jsonFromPlain(value, limits, depth + 1);
  } catch (caught) {
    throw caught instanceof Refusal ? caught.under(segment) : caught;
  }
}

function fromFraction(value: number): JsonValue {
  if (!Number.isFinite(value)) throw new Refusal("kind", "a finite number", String(value));
  const decimal = Decimal.fromNumber(value);
  return decimal.isWhole ? decimal.coefficient : decimal;
}
