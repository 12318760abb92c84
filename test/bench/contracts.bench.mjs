/** Contracts: judging values by Schema/1 with the work meter on, against validators that count nothing; and reading JSON/1. */
import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import * as contracts from "../../dist/contracts.js";
import { random } from "./documents.mjs";

const RECORDS = 1_000;
/** So many small values are one run of a row: a single one is too short to be measured well. */
const SMALL = 200;

export default {
  title: "Contracts",
  about:
    "Validation of a value that is valid, by the same schema each; flow-host counts its units of work, the others nothing. " +
    "Then reading: JSON/1 refuses duplicate names, lone surrogates and numbers that binary64 would bend.",
  async *groups() {
    for (const subject of [session(), order(), records()]) {
      yield validation(subject);
      yield reading(subject);
    }
    yield rejection(records());
  },
};

/** What is validated: `times` values in one run of a row. */
function validation({ name, schema, zod, value, times }) {
  const text = JSON.stringify(value);
  const read = contracts.readJson1(text);
  const parsed = JSON.parse(text);
  const own = contracts.compileSchemaValue(schema);
  const ajv = new Ajv2020({ strict: false }).compile(withoutSchema(schema));
  const cfworker = new Validator(withoutSchema(schema), "2020-12", true);
  const rows = [
    { name: "ajv", note: "generates code", judge: () => ajv(parsed) },
    { name: "flow-host", note: `eval-free, ${own.validate(read).units} units counted`, judge: () => own.validate(read).valid },
    { name: "@cfworker/json-schema", note: "eval-free", judge: () => cfworker.validate(parsed).valid },
    { name: "zod", note: "generates code, makes a copy", judge: () => zod.safeParse(parsed).success },
    { name: "zod, jitless", note: "eval-free, makes a copy", judge: () => zod.safeParse(parsed, { jitless: true }).success },
  ];
  return { title: `validating ${name}`, bytes: text.length * times, rows: rows.map((row) => repeated(row, times, true)) };
}

/** The same, for a value that is wrong in its last record: the verdict alone, which is what all of these can give. */
function rejection({ name, schema, zod, value }) {
  const wrong = [...value.slice(0, -1), { ...value.at(-1), active: "yes" }];
  const text = JSON.stringify(wrong);
  const read = contracts.readJson1(text);
  const parsed = JSON.parse(text);
  const own = contracts.compileSchemaValue(schema);
  const ajv = new Ajv2020({ strict: false }).compile(withoutSchema(schema));
  const cfworker = new Validator(withoutSchema(schema), "2020-12", true);
  const rows = [
    { name: "ajv", note: "generates code", judge: () => ajv(parsed) },
    { name: "flow-host", note: "the verdict", judge: () => own.validate(read, { diagnostics: 0 }).valid },
    { name: "flow-host, explained", note: "with pointers and keyword", judge: () => own.validate(read).valid },
    { name: "@cfworker/json-schema", note: "eval-free", judge: () => cfworker.validate(parsed).valid },
    { name: "zod, jitless", note: "eval-free", judge: () => zod.safeParse(parsed, { jitless: true }).success },
  ];
  return { title: `rejecting ${name}`, bytes: text.length, rows: rows.map((row) => repeated(row, 1, false)) };
}

function reading({ name, value, times }) {
  const text = JSON.stringify(value);
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const rows = [
    { name: "JSON.parse", note: "loses what it cannot hold", read: () => JSON.parse(text) },
    { name: "readJson1", note: "every rule and limit judged", read: () => contracts.readJson1(text) },
    { name: "JSON.parse of bytes", read: () => JSON.parse(decoder.decode(bytes)) },
    { name: "readJson1 of bytes", read: () => contracts.readJson1(bytes) },
  ];
  const many = ({ read, ...row }) => ({
    ...row,
    run: () => {
      let last;
      for (let i = 0; i < times; i++) last = read();
      return last;
    },
  });
  return { title: `reading ${name}`, bytes: text.length * times, rows: rows.map(many) };
}

function repeated({ name, note, judge }, times, expected) {
  if (judge() !== expected) throw new Error(`${name} finds the value ${expected ? "invalid" : "valid"}`);
  return {
    name,
    note,
    run: () => {
      let valid = 0;
      for (let i = 0; i < times; i++) if (judge()) valid++;
      return valid;
    },
  };
}

/** The others know no such dialect; its keywords mean what they mean in 2020-12. A copy, since one of them writes into it. */
function withoutSchema(schema) {
  const { $schema: _, ...copy } = structuredClone(schema);
  return copy;
}

const strict = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required, additionalProperties: false });
const text = (maxLength) => ({ type: "string", minLength: 1, maxLength });

function session() {
  return {
    name: `${SMALL} sessions`,
    times: SMALL,
    schema: { $schema: contracts.SCHEMA1_ID, ...contracts.sessionStoreDescriptor.$defs.Session },
    zod: z.strictObject({ sessionId: z.string().min(1).max(128) }),
    value: { sessionId: "0b7e2f0c-51f3-4a7e-9d25-9e4a1f0c8d11" },
  };
}

function order() {
  const address = strict({ street: text(200), city: text(100), country: { enum: ["AT", "CH", "DE", "FR"] } });
  const line = strict(
    { sku: text(40), quantity: { type: "integer", minimum: 1, maximum: 999 }, price: { type: "number", minimum: 0 }, note: text(500) },
    ["sku", "quantity", "price"],
  );
  const payment = {
    anyOf: [strict({ kind: { const: "card" }, last4: text(4) }), strict({ kind: { const: "transfer" }, iban: text(34) })],
  };
  const schema = {
    $schema: contracts.SCHEMA1_ID,
    $defs: { address, line, payment },
    ...strict(
      {
        id: text(64),
        placed: text(40),
        lines: { type: "array", items: { $ref: "#/$defs/line" }, minItems: 1, maxItems: 500 },
        billing: { $ref: "#/$defs/address" },
        shipping: { $ref: "#/$defs/address" },
        payment: { $ref: "#/$defs/payment" },
        gift: { type: "boolean" },
      },
      ["id", "placed", "lines", "billing", "payment"],
    ),
  };
  const zText = (most) => z.string().min(1).max(most);
  const zAddress = z.strictObject({ street: zText(200), city: zText(100), country: z.enum(["AT", "CH", "DE", "FR"]) });
  const zod = z.strictObject({
    id: zText(64),
    placed: zText(40),
    lines: z
      .array(
        z.strictObject({
          sku: zText(40),
          quantity: z.int().min(1).max(999),
          price: z.number().min(0),
          note: zText(500).optional(),
        }),
      )
      .min(1)
      .max(500),
    billing: zAddress,
    shipping: zAddress.optional(),
    payment: z.union([
      z.strictObject({ kind: z.literal("card"), last4: zText(4) }),
      z.strictObject({ kind: z.literal("transfer"), iban: zText(34) }),
    ]),
    gift: z.boolean().optional(),
  });
  const at = { street: "Hauptstraße 1", city: "Wien", country: "AT" };
  const lines = Array.from({ length: 8 }, (_, i) => ({ sku: `A-${i}-000${i}`, quantity: i + 1, price: 9.99 + i }));
  const value = {
    id: "o-1029",
    placed: "2026-02-03T10:20:30Z",
    lines,
    billing: at,
    shipping: at,
    payment: { kind: "transfer", iban: "AT02" },
  };
  return { name: `${SMALL / 10} orders`, times: SMALL / 10, schema, zod, value };
}

function records() {
  const next = random(7);
  const value = Array.from({ length: RECORDS }, (_, i) => ({
    id: i * 7919,
    name: `record ${Math.floor(next() * 1e9).toString(36)}`,
    price: Math.round(next() * 1e6) / 100,
    active: next() < 0.5,
    tags: Array.from({ length: 1 + Math.floor(next() * 3) }, () => Math.floor(next() * 1e6).toString(36)),
  }));
  const properties = {
    id: { type: "integer", minimum: 0 },
    name: text(100),
    price: { type: "number", minimum: 0 },
    active: { type: "boolean" },
    tags: { type: "array", items: { type: "string", maxLength: 40 }, maxItems: 16 },
  };
  const schema = { $schema: contracts.SCHEMA1_ID, type: "array", items: strict(properties), maxItems: 65_536 };
  const record = z.strictObject({
    id: z.int().min(0),
    name: z.string().min(1).max(100),
    price: z.number().min(0),
    active: z.boolean(),
    tags: z.array(z.string().max(40)).max(16),
  });
  return { name: `${RECORDS} records`, times: 1, schema, zod: z.array(record).max(65_536), value };
}
