/**
 * Values on their way between the two models. Flow's numbers are exact and of any size, those of JSON/1 are binary64:
 * a number that would not come back as it went is refused, and nothing is rounded on the way.
 */
import { Decimal } from "../../json/decimal.ts";
import { asFlowError, Refusal } from "../../json/errors.ts";
import { DEEPEST_LIMIT, type Limits } from "../../json/limits.ts";
import { parseJson } from "../../json/read.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { admitJson1 } from "../admit.ts";
import { bareObject, isJson1Number, type Json1Value, NUMBER } from "../model.ts";

/** What is judged here are the limits of JSON/1, which are the tighter ones. */
const LIMITS: Partial<Limits> = { depth: DEEPEST_LIMIT };

/**
 * The JSON/1 value of canonical Flow text.
 * @throws FlowError the codes of {@link admitJson1}, with the pointer
 */
export function json1OfFlow(text: string): Json1Value {
  try {
    return admitJson1(plain(parseJson(text, LIMITS)));
  } catch (caught) {
    throw asFlowError(caught);
  }
}

/** Plain data of exact JSON, which is then admitted as any other. */
function plain(value: JsonValue): unknown {
  if (typeof value === "bigint") return numberOf(Number(value), true, value);
  if (value instanceof Decimal) {
    const number = value.toApproximateNumber();
    return numberOf(number, Number.isFinite(number) && Decimal.fromNumber(number).equals(value), value);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue, i) => inside(i, item));
  const members = bareObject() as Record<string, unknown>;
  for (const [name, member] of Object.entries(value as JsonObject)) members[name] = inside(name, member);
  return members;
}

function inside(segment: string | number, value: JsonValue): unknown {
  try {
    return plain(value);
  } catch (caught) {
    throw caught instanceof Refusal ? caught.under(segment) : caught;
  }
}

function numberOf(number: number, isSame: boolean, value: bigint | Decimal): number {
  if (isSame && isJson1Number(number)) return number;
  const text = String(value);
  throw new Refusal("number", isSame ? NUMBER : `${NUMBER}, and has no more digits than binary64 holds`, text.slice(0, 40));
}
