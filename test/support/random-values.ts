/** Random values of a type from a seed, and their encodings with one thing changed. */
import { codecFor } from "../../src/codec/codec.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../src/json/value.ts";
import { substitute } from "../../src/types/substitute.ts";
import type { Declarations, Field, Payload, Template, Term } from "../../src/types/terms.ts";
import { FlowDict } from "../../src/values/dict.ts";
import { Duration } from "../../src/values/duration.ts";
import { Instant } from "../../src/values/instant.ts";
import { FlowSet } from "../../src/values/set.ts";
import { HostToken } from "../../src/values/shapes.ts";
import type { Random } from "../types/random.ts";

export interface ValueWishes {
  /** Whether numbers may be more than binary64 keeps. */
  readonly exact?: boolean;
  /** Whether values may be extreme: long, large, tiny, with every kind of character. */
  readonly wild?: boolean;
}

const TEXTS = ["", "a", "b", "Some", "None", "é\u{1f600}", '"\\\n', "C0", "2026-01-01T00:00:00Z", "AA=="];

const WILD_TEXTS = [
  "\u0000\u001f\u007f\u0080\u07ff\u0800\uffff",
  "\u{10ffff}\u{10000}",
  "__proto__",
  "x".repeat(70),
  "é".repeat(450),
  "\\".repeat(9),
  "1e3",
  "\u2028/",
];
const WILD_INTS = [
  "0",
  "1000",
  "-1000",
  "101000",
  "999999999999999",
  "-999999999999999",
  "1000000000000000",
  "9007199254740993",
  "-9007199254740992",
  "123456789012345678901234567890",
];
const WILD_DECIMALS = [
  "0",
  "0.001",
  "-0.001",
  "0.01",
  "0.000000000000001",
  "1e-40",
  "123456789012.345",
  "0.123456789012345",
  "0.1234567890123456",
  "9007199254740993.5",
  "1e21",
  "-12345678901234567890.125",
  "1000.5",
  "0.1",
  "-0.5",
];

/** No value: the type has none, or none as small as was asked for. */
const NOTHING: unique symbol = Symbol("nothing");

class Values {
  private readonly random: Random;
  private readonly declarations: Declarations;
  private readonly exact: boolean;
  private readonly wild: boolean;
  /** Types that hold each other several times over would otherwise take forever. */
  private budget = 300;

  constructor(random: Random, declarations: Declarations, { exact = false, wild = false }: ValueWishes) {
    this.random = random;
    this.declarations = declarations;
    this.exact = exact;
    this.wild = wild;
  }

  value(term: Term, fuel: number): unknown {
    if (fuel === 0 || this.budget-- <= 0) return NOTHING;
    if (typeof term === "string") return this.primitive(term);
    if ("List" in term) return this.items(term.List, fuel);
    if ("Set" in term) return FlowSet.from(this.items(term.Set, fuel), codecFor(term.Set, this.declarations).compare);
    if ("Option" in term) return this.option(term.Option, fuel);
    if ("Tuple" in term) return this.all(term.Tuple, fuel);
    if ("Dict" in term) return this.dict(term.Dict, fuel);
    if (!("Named" in term)) return NOTHING;
    const { declaration, args } = term.Named;
    const template = this.declarations.get(declaration) as Template;
    const concrete = (type: Term): Term => substitute(type, declaration, args);
    if (template.kind === "host") return new HostToken(this.json(2));
    if (template.kind === "record") return this.record(template.fields, concrete, fuel);
    if (template.kind !== "enum") return NOTHING;
    const { constructors } = template;
    const first = this.random(Math.max(1, constructors.length));
    for (let i = 0; i < constructors.length; i++) {
      const { name: tag, payload } = constructors[(first + i) % constructors.length] as (typeof constructors)[number];
      if (payload === null) return { tag };
      const value = this.payload(payload, concrete, fuel);
      if (value !== NOTHING) return { tag, value };
    }
    return NOTHING;
  }

  private payload(payload: Exclude<Payload, null>, concrete: (type: Term) => Term, fuel: number): unknown {
    if ("named" in payload) return this.record(payload.named, concrete, fuel);
    const parts = this.all(payload.positional.map(concrete), fuel);
    return parts !== NOTHING && parts.length === 1 ? parts[0] : parts;
  }

  private record(fields: readonly Field[], concrete: (type: Term) => Term, fuel: number): unknown {
    const record: Record<string, unknown> = {};
    const assign = (name: string, value: unknown) =>
      // Assigning a member called __proto__ would not make one.
      Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
    for (const { name, type } of fields) {
      const term = concrete(type);
      const optional = typeof term !== "string" && "Option" in term;
      if (optional && this.random(3) === 0) continue;
      const value = this.value(optional ? term.Option : term, fuel - 1);
      if (value !== NOTHING) assign(name, value);
      else if (!optional) return NOTHING;
    }
    return record;
  }

  private option(inner: Term, fuel: number): unknown {
    const value = this.random(3) === 0 ? NOTHING : this.value(inner, fuel - 1);
    return value === NOTHING ? { tag: "None" } : { tag: "Some", value };
  }

  private all(terms: readonly Term[], fuel: number): unknown[] | typeof NOTHING {
    const parts = terms.map((part) => this.value(part, fuel - 1));
    return parts.includes(NOTHING) ? NOTHING : parts;
  }

  private items(term: Term, fuel: number): unknown[] {
    return Array.from({ length: this.random(4) }, () => this.value(term, fuel - 1)).filter((item) => item !== NOTHING);
  }

  private dict([key, value]: readonly [Term, Term], fuel: number): unknown {
    const entries = Array.from({ length: this.random(4) }, () => [this.value(key, fuel - 1), this.value(value, fuel - 1)] as const);
    const whole = entries.filter((entry) => !entry.includes(NOTHING));
    return FlowDict.from(whole, codecFor(key, this.declarations).compare);
  }

  private primitive(term: Extract<Term, string>): unknown {
    const { random } = this;
    switch (term) {
      case "Int":
        return this.int();
      case "Decimal":
        return this.wild && random(2) === 0
          ? Decimal.from(this.oneOf(WILD_DECIMALS))
          : Decimal.from(`${random(3) === 0 ? "-" : ""}${random(1000)}.${random(100)}`);
      case "Bool":
        return random(2) === 0;
      case "Text":
        return this.text();
      case "Bytes":
        return Uint8Array.from({ length: random(5) }, () => random(256));
      case "Duration":
        return Duration.fromNanoseconds(BigInt(random(1_000_000) - 500_000) * 10n ** BigInt(random(10)));
      case "Instant":
        return Instant.fromEpochNanoseconds(BigInt(random(2 ** 32) - 2 ** 31) * 10n ** BigInt(random(12)));
      case "Unit":
        return undefined;
      case "Never":
        return NOTHING;
      case "json.Value":
        return this.json(3);
    }
  }

  private oneOf(texts: readonly string[]): string {
    return texts[this.random(texts.length)] as string;
  }

  private text(): string {
    return this.oneOf(this.wild && this.random(3) === 0 ? WILD_TEXTS : TEXTS);
  }

  private int(): bigint {
    if (this.wild && this.random(2) === 0) return BigInt(this.oneOf(WILD_INTS));
    const value = BigInt(this.random(2000) - 1000);
    return this.exact && this.random(3) === 0 ? value * 2n ** 80n + 1n : value;
  }

  private json(fuel: number): JsonValue {
    const { random } = this;
    const pick = random(fuel === 0 ? 4 : 6);
    if (pick === 0) return null;
    if (pick === 1) return random(2) === 0;
    if (pick === 2) return this.int();
    if (pick === 3) return this.text();
    if (pick === 4) return Array.from({ length: random(3) }, () => this.json(fuel - 1));
    if (this.wild && random(2) === 0)
      return jsonObject(
        Object.fromEntries([
          [this.text(), this.json(fuel - 1)],
          ["__proto__", 1n],
        ]),
      );
    return jsonObject({ a: this.json(fuel - 1), Some: this.json(fuel - 1) });
  }
}

/** A value of a concrete type, as the library has it; `undefined` where the type has no value, or none of a moderate size. */
export function randomValue(
  random: Random,
  term: Term,
  declarations: Declarations,
  wishes: ValueWishes = {},
): { readonly value: unknown } | undefined {
  const value = new Values(random, declarations, wishes).value(term, 6);
  return value === NOTHING ? undefined : { value };
}

const OTHERS: readonly JsonValue[] = [
  null,
  true,
  7n,
  Decimal.from("0.5"),
  "text",
  "None",
  [],
  [1n],
  jsonObject({}),
  jsonObject({ Some: 1n }),
];

/** JSON with one thing changed somewhere: another kind of value, a member or an item too few, too many, renamed or moved. */
export function mutated(random: Random, json: JsonValue): JsonValue {
  const places: (readonly (string | number)[])[] = [];
  const visit = (value: JsonValue, path: readonly (string | number)[]): void => {
    places.push(path);
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, [...path, i]);
    else if (isJsonObject(value)) for (const name of Object.keys(value)) visit(value[name] as JsonValue, [...path, name]);
  };
  visit(json, []);
  return replaced(json, places[random(places.length)] as readonly (string | number)[], (value) => changed(random, value));
}

function replaced(json: JsonValue, [head, ...rest]: readonly (string | number)[], change: (value: JsonValue) => JsonValue): JsonValue {
  if (head === undefined) return change(json);
  if (Array.isArray(json)) return json.map((item: JsonValue, i) => (i === head ? replaced(item, rest, change) : item));
  const object = json as Readonly<Record<string, JsonValue>>;
  return jsonObject({ ...object, [head]: replaced(object[head] as JsonValue, rest, change) });
}

function changed(random: Random, value: JsonValue): JsonValue {
  const other = OTHERS[random(OTHERS.length)] as JsonValue;
  const pick = random(5);
  if (pick < 2) return other;
  if (typeof value === "bigint") return pick === 2 ? Decimal.from(`${value}.5`) : value + 1n;
  if (typeof value === "string") return `${value}x`;
  if (Array.isArray(value)) {
    if (pick === 2) return value.slice(0, -1);
    if (pick === 3) return [...value, value[0] ?? other];
    return value.toReversed();
  }
  if (!isJsonObject(value)) return other;
  const entries = Object.entries(value);
  const at = random(entries.length + 1);
  const entry = entries[at];
  if (entry === undefined) return jsonObject({ ...value, more: other });
  if (pick === 2) return jsonObject(Object.fromEntries(entries.filter((_, i) => i !== at)));
  return jsonObject(Object.fromEntries(entries.map((kept, i) => (i === at ? [`${entry[0]}x`, entry[1]] : kept))));
}
