/** Int, Decimal, Bool, Text, Unit and Never. */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import { compareCodePoints } from "../json/text.ts";
import { writeBigint, writeDecimal, writeString } from "../json/write.ts";
import { describeValue, type Node, refuseKind } from "./node.ts";

const scalar = { takesNull: false, takesUndefined: false, children: () => [] } as const;

/** The largest bigint that is written through a JavaScript number: that is three times as fast as `BigInt#toString`. */
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export const intNode: Node = {
  ...scalar,
  title: "Int",
  decode(json) {
    if (typeof json === "number") {
      if (Number.isInteger(json)) return BigInt(json);
    } else if (typeof json === "bigint") return json;
    else if (!(json instanceof Decimal)) throw refuseKind("Int", json);
    else if (json.isWhole) return json.coefficient;
    throw new Refusal("not-whole", "Int", describeValue(json));
  },
  write(value, { limits }) {
    if (typeof value !== "bigint") {
      throw refuseKind(typeof value === "number" ? "Int, which is a bigint in JavaScript (write 42n)" : "Int (a bigint)", value);
    }
    return value <= SAFE && value >= -SAFE && limits.digits >= 16 ? String(Number(value)) : writeBigint(value, limits);
  },
  compare(a, b) {
    return (a as bigint) < (b as bigint) ? -1 : (a as bigint) > (b as bigint) ? 1 : 0;
  },
};

export const decimalNode: Node = {
  ...scalar,
  title: "Decimal",
  decode(json) {
    if (typeof json === "number") return Decimal.fromParsed(json);
    if (json instanceof Decimal) return json;
    if (typeof json === "bigint") return Decimal.of(json, 0);
    throw refuseKind("Decimal", json);
  },
  write(value, { limits }) {
    if (value instanceof Decimal) return writeDecimal(value, limits);
    throw refuseKind('Decimal (write Decimal.from("12.50"))', value);
  },
  compare(a, b) {
    return (a as Decimal).compare(b as Decimal);
  },
};

export const boolNode: Node = {
  ...scalar,
  title: "Bool",
  decode(json) {
    if (typeof json === "boolean") return json;
    throw refuseKind("Bool", json);
  },
  write(value) {
    if (typeof value !== "boolean") throw refuseKind("Bool", value);
    return value ? "true" : "false";
  },
  compare(a, b) {
    return Number(a) - Number(b);
  },
};

export const textNode: Node = {
  ...scalar,
  title: "Text",
  decode(json) {
    if (typeof json === "string") return json;
    throw refuseKind("Text", json);
  },
  write(value, { limits }) {
    if (typeof value !== "string") throw refuseKind("Text", value);
    return writeString(value, limits);
  },
  compare(a, b) {
    return compareCodePoints(a as string, b as string);
  },
};

export const unitNode: Node = {
  ...scalar,
  title: "Unit",
  takesUndefined: true,
  decode(json) {
    if (Array.isArray(json) && json.length === 0) return undefined;
    throw refuseKind("Unit (an empty array)", json);
  },
  write(value) {
    if (value === undefined) return "[]";
    throw refuseKind("Unit (undefined)", value);
  },
  compare() {
    return 0;
  },
};

export const neverNode: Node = {
  ...scalar,
  title: "Never",
  decode(json) {
    throw new Refusal("no-value", "no value at all (the type is Never)", describeValue(json));
  },
  write(value) {
    throw new Refusal("no-value", "no value at all (the type is Never)", describeValue(value));
  },
  compare() {
    return 0;
  },
};
