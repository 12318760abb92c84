/** Judging JSON trees that came from elsewhere than this room's reader. */
import { Decimal } from "./decimal.ts";
import { Refusal } from "./errors.ts";
import { type Limits, tooMany } from "./limits.ts";
import { isPlainObject } from "./plain.ts";
import { describeJson, emptyObject, type JsonValue } from "./value.ts";

/**
 * Exact JSON made of what other libraries hold as parsed JSON (R44): a safe-integer number is that integer, any other
 * number is its shortest decimal text; members that are `undefined` are left out, as `JSON.stringify` does.
 * @throws Refusal `kind` for what is no JSON, `limit` for more values, or deeper ones, than the limits admit.
 */
export function jsonFromPlain(value: unknown, limits: Limits): JsonValue {
  return new PlainReader(limits).value(value, 1);
}

class PlainReader {
  private readonly limits: Limits;
  private count = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  value(value: unknown, depth: number): JsonValue {
    const { limits } = this;
    if (depth > limits.depth) throw tooMany("depth", `values nested at most ${limits.depth} deep`);
    if (++this.count > limits.values) throw tooMany("values", `at most ${limits.values} values in one document`);
    switch (typeof value) {
      case "number":
        return Number.isSafeInteger(value) ? BigInt(value) : fromFraction(value);
      case "string":
      case "boolean":
      case "bigint":
        return value;
      case "object": {
        if (value === null || value instanceof Decimal) return value;
        if (Array.isArray(value)) return Array.from(value, (item, i) => this.placed(item, depth, i));
        if (!isPlainObject(value)) break;
        const members = emptyObject();
        for (const [name, member] of Object.entries(value)) {
          if (member !== undefined) members[name] = this.placed(member, depth, name);
        }
        return members;
      }
    }
    throw new Refusal("kind", "parsed JSON", describeJson(value));
  }

  private placed(value: unknown, depth: number, segment: string | number): JsonValue {
    try {
      return this.value(value, depth + 1);
    } catch (caught) {
      throw caught instanceof Refusal ? caught.under(segment) : caught;
    }
  }
}

function fromFraction(value: number): JsonValue {
  if (!Number.isFinite(value)) throw new Refusal("kind", "a finite number", String(value));
  const decimal = Decimal.fromNumber(value);
  return decimal.isWhole ? decimal.coefficient : decimal;
}
