/** json.Value and host tokens: JSON that passes through as it is, and the types that cannot cross at all. */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import { bigintOf } from "../json/number.ts";
import { compareCodePoints } from "../json/text.ts";
import { emptyObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { writeJson } from "../json/write.ts";
import { HostToken } from "../values/shapes.ts";
import { type Account, GIVE_UP } from "./account.ts";
import { type Node, refuseKind } from "./node.ts";

/** json.Value: any JSON, untouched. */
export const rawNode: Node = {
  title: "json.Value",
  takesNull: true,
  takesUndefined: false,
  decode: (json) => json,
  take: exactJson,
  write: (value, output) => writeJson(value as JsonValue, output),
  compare(a, b) {
    return compareJson(a as JsonValue, b as JsonValue);
  },
};

/** A host type of the given name. */
export function hostNode(title: string): Node {
  return {
    title,
    takesNull: true,
    takesUndefined: false,
    decode(json, context) {
      if (!context.tokens) throw new Refusal("not-decodable", `no value of the host type ${title}: only a Tool's reply makes one`);
      return new HostToken(json as JsonValue);
    },
    take(json, account) {
      if (!account.tokens) throw GIVE_UP;
      return new HostToken(exactJson(json, account));
    },
    write(value, output) {
      if (!(value instanceof HostToken)) throw refuseKind(`${title} (a HostToken)`, value);
      writeJson(value.json, output);
    },
    compare: unordered(title),
  };
}

/** A type that has no encoding: a function, a Task, a nondata type. */
export function unencodableNode(title: string): Node {
  const refuse = () => new Refusal("not-decodable", `no value of ${title}: the type has no encoding`);
  return {
    title,
    takesNull: false,
    takesUndefined: false,
    decode() {
      throw refuse();
    },
    take() {
      throw GIVE_UP;
    },
    write() {
      throw refuse();
    },
    compare: unordered(title),
  };
}

function unordered(title: string): () => never {
  return () => {
    throw new Refusal("order", `a type whose values have an order; those of ${title} have none`);
  };
}

/** An opaque type: only where the grant allows it may one be made (R14). */
export function opaqueNode(inner: Node): Node {
  return {
    ...inner,
    decode(json, context) {
      if (!context.opaque) throw new Refusal("not-decodable", `no value of the opaque type ${inner.title}: only its own module makes one`);
      return inner.decode(json, context);
    },
    take(json, account) {
      if (!account.opaque) throw GIVE_UP;
      return inner.take(json, account);
    },
  };
}

/** Makes exact JSON of what `JSON.parse` made of a text. @throws `GIVE_UP` */
export function exactJson(json: unknown, account: Account): JsonValue {
  switch (typeof json) {
    case "string":
      account.string(json);
      return json;
    case "number":
      return exactNumber(json, account);
    case "boolean":
      account.length += json ? 4 : 5;
      return json;
  }
  if (json === null) {
    account.length += 4;
    return null;
  }
  account.enter();
  const exact = Array.isArray(json) ? exactArray(json, account) : exactObject(json as Record<string, unknown>, account);
  account.leave();
  return exact;
}

function exactArray(json: readonly unknown[], account: Account): JsonValue {
  account.array(json.length);
  const items: JsonValue[] = [];
  for (let i = 0; i < json.length; i++) items.push(exactJson(json[i], account));
  return items;
}

function exactObject(json: Record<string, unknown>, account: Account): JsonValue {
  const names = Object.keys(json);
  account.object(names.length);
  const members = emptyObject();
  for (const name of names) {
    account.name(name);
    members[name] = exactJson(json[name], account);
  }
  return members;
}

function exactNumber(json: number, account: Account): JsonValue {
  if (Number.isInteger(json)) {
    account.integer(json);
    return bigintOf(json);
  }
  const decimal = Decimal.fromParsed(json);
  if (decimal === undefined) throw GIVE_UP;
  account.decimal(decimal);
  return decimal;
}

/** Notes a value that is skipped: the account wants to know of it, nobody else does. @throws `GIVE_UP` */
export function skip(json: unknown, account: Account): void {
  if (typeof json !== "object" || json === null) exactJson(json, account);
  else {
    account.enter();
    if (Array.isArray(json)) {
      account.array(json.length);
      for (const item of json) skip(item, account);
    } else {
      const names = Object.keys(json);
      account.object(names.length);
      for (const name of names) {
        account.name(name);
        skip((json as Record<string, unknown>)[name], account);
      }
    }
    account.leave();
  }
}

/** null < booleans < numbers < strings < arrays < objects (R12). */
export function compareJson(a: JsonValue, b: JsonValue): number {
  const rank = kindRank(a);
  const difference = rank - kindRank(b);
  if (difference !== 0) return difference;
  switch (rank) {
    case 1:
      return Number(a) - Number(b);
    case 2:
      return compareNumbers(a as bigint | Decimal, b as bigint | Decimal);
    case 3:
      return compareCodePoints(a as string, b as string);
    case 4:
      return compareArrays(a as readonly JsonValue[], b as readonly JsonValue[]);
    case 5:
      return compareObjects(a as JsonObject, b as JsonObject);
    default:
      return 0;
  }
}

function kindRank(value: JsonValue): number {
  switch (typeof value) {
    case "boolean":
      return 1;
    case "bigint":
      return 2;
    case "string":
      return 3;
    default:
      if (value === null) return 0;
      if (value instanceof Decimal) return 2;
      return Array.isArray(value) ? 4 : 5;
  }
}

function compareNumbers(a: bigint | Decimal, b: bigint | Decimal): number {
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
  return (typeof a === "bigint" ? Decimal.of(a, 0) : a).compare(typeof b === "bigint" ? Decimal.of(b, 0) : b);
}

function compareArrays(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const sign = compareJson(a[i] as JsonValue, b[i] as JsonValue);
    if (sign !== 0) return sign;
  }
  return a.length - b.length;
}

/** As the lists of their (name, value) pairs by name. */
function compareObjects(a: JsonObject, b: JsonObject): number {
  const left = Object.keys(a).sort(compareCodePoints);
  const right = Object.keys(b).sort(compareCodePoints);
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const x = left[i] as string;
    const y = right[i] as string;
    const sign = compareCodePoints(x, y) || compareJson(a[x] as JsonValue, b[y] as JsonValue);
    if (sign !== 0) return sign;
  }
  return left.length - right.length;
}
