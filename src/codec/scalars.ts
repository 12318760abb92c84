/** Int, Decimal, Bool, Text, Unit and Never. */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import { bigintOf } from "../json/number.ts";
import { phraseOf } from "../json/phrase.ts";
import { compareCodePoints } from "../json/text.ts";
import { writeBoolean } from "../json/write.ts";
import { GIVE_UP } from "./account.ts";
import { describeValue, type Node, refuseKind } from "./node.ts";

const scalar = { takesNull: false, takesUndefined: false } as const;

export const intNode: Node = {
  ...scalar,
  title: "Int",
  decode(json) {
    if (typeof json === "bigint") return json;
    if (!(json instanceof Decimal)) throw refuseKind("Int", json);
    if (json.isWhole) return json.coefficient;
    throw new Refusal("not-whole", "Int", describeValue(json));
  },
  take(json, account) {
    if (typeof json !== "number" || !Number.isInteger(json)) throw GIVE_UP;
    account.integer(json);
    return bigintOf(json);
  },
  takeAll(json, account) {
    const items: bigint[] = [];
    for (let i = 0; i < json.length; i++) {
      const value = json[i];
      if (typeof value !== "number" || !Number.isInteger(value)) throw GIVE_UP;
      account.integer(value);
      items.push(bigintOf(value));
    }
    return items;
  },
  write(value, output) {
    if (typeof value === "bigint") output.bigint(value);
    else throw refuseKind(typeof value === "number" ? "Int, which is a bigint in JavaScript (write 42n)" : "Int (a bigint)", value);
  },
  compare(a, b) {
    return (a as bigint) < (b as bigint) ? -1 : (a as bigint) > (b as bigint) ? 1 : 0;
  },
};

export const decimalNode: Node = {
  ...scalar,
  title: "Decimal",
  decode(json) {
    if (json instanceof Decimal) return json;
    if (typeof json === "bigint") return Decimal.of(json, 0);
    throw refuseKind("Decimal", json);
  },
  take(json, account) {
    const decimal = typeof json === "number" ? Decimal.fromParsed(json) : undefined;
    if (decimal === undefined) throw GIVE_UP;
    account.decimal(decimal);
    return decimal;
  },
  takeAll(json, account) {
    const items: Decimal[] = [];
    for (let i = 0; i < json.length; i++) {
      const value = json[i];
      const decimal = typeof value === "number" ? Decimal.fromParsed(value) : undefined;
      if (decimal === undefined) throw GIVE_UP;
      account.decimal(decimal);
      items.push(decimal);
    }
    return items;
  },
  write(value, output) {
    if (value instanceof Decimal) output.decimal(value);
    else throw refuseKind('Decimal (write Decimal.from("12.50"))', value);
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
  take(json, account) {
    if (typeof json !== "boolean") throw GIVE_UP;
    account.length += json ? 4 : 5;
    return json;
  },
  write(value, output) {
    if (typeof value !== "boolean") throw refuseKind("Bool", value);
    writeBoolean(value, output);
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
  take(json, account) {
    if (typeof json !== "string") throw GIVE_UP;
    account.string(json);
    return json;
  },
  write(value, output) {
    if (typeof value !== "string") throw refuseKind("Text", value);
    output.string(value);
  },
  compare(a, b) {
    return compareCodePoints(a as string, b as string);
  },
};

const UNIT = phraseOf("[]");

export const unitNode: Node = {
  ...scalar,
  title: "Unit",
  takesUndefined: true,
  decode(json) {
    if (Array.isArray(json) && json.length === 0) return undefined;
    throw refuseKind("Unit (an empty array)", json);
  },
  take(json, account) {
    if (!Array.isArray(json) || json.length !== 0) throw GIVE_UP;
    account.array(0);
    return undefined;
  },
  write(value, output) {
    if (value !== undefined) throw refuseKind("Unit (undefined)", value);
    output.phrase(UNIT);
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
  take() {
    throw GIVE_UP;
  },
  write(value) {
    throw new Refusal("no-value", "no value at all (the type is Never)", describeValue(value));
  },
  compare() {
    return 0;
  },
};
