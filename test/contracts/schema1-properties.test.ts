/** Schema/1 on random schemas: two evaluators, another validator, and what the meter promises. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Faults } from "../../src/contracts/codes.ts";
import { admitJson1, type CompiledSchema, compileSchemaValue, isFlowError, type Json1Value } from "../../src/contracts/index.ts";
import { explain } from "../../src/contracts/schema1/explain.ts";
import { Meter } from "../../src/contracts/schema1/meter.ts";
import type { SchemaNode } from "../../src/contracts/schema1/node.ts";
import { SchemaReader } from "../../src/contracts/schema1/read.ts";
import { instance, schemaFile } from "./random-schemas.ts";

const pair = fc.tuple(schemaFile.map(admitJson1), fc.array(instance.map(admitJson1), { minLength: 1, maxLength: 4 }));

function verdict(schema: CompiledSchema, value: Json1Value, budget?: number): { valid: boolean; units: number } | string {
  try {
    const { valid, units } = schema.validate(value, { diagnostics: 0, ...(budget === undefined ? {} : { budget }) });
    return { valid, units };
  } catch (error) {
    if (!isFlowError(error)) throw error;
    return error.code;
  }
}

/** The same value with the members of every object the other way round. */
function reversed(value: Json1Value): Json1Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const members = Object.create(null) as Record<string, Json1Value>;
  for (const [name, member] of Object.entries(value).reverse()) members[name] = reversed(member as Json1Value);
  return members;
}

/** Has every pair remembered, whether or not it can be met twice. */
function rememberAll(node: SchemaNode, seen = new Set<SchemaNode>()): void {
  if (seen.has(node)) return;
  seen.add(node);
  node.remembered = true;
  for (const child of [...node.inPlace(), ...node.below()]) rememberAll(child, seen);
}

function readRoot(schema: Json1Value): SchemaNode {
  const faults = new Faults();
  const reader = new SchemaReader(faults);
  const root = reader.file(schema);
  if (root === undefined) throw new Error("no root");
  reader.finish([root]);
  faults.settle();
  return root;
}

it("passing over what is accepted changes none of the reasons that are told", () => {
  fc.assert(
    fc.property(pair, fc.constantFrom(1, 2, 32), ([schema, values], most) => {
      const root = readRoot(schema);
      const compiled = compileSchemaValue(schema);
      for (const value of [...values, values]) {
        const { reasons } = explain(root, value, new Meter(1_000_000), most);
        const { diagnostics } = compiled.validate(value, { diagnostics: most });
        expect(diagnostics).toEqual(reasons.map((reason) => ({ code: "INVALID_INPUT", ...reason })));
      }
    }),
    { numRuns: 1_000 },
  );
});

it("the fast evaluator agrees with the explaining one, which here remembers every pair, on verdict and units", () => {
  fc.assert(
    fc.property(pair, ([schema, values]) => {
      const root = readRoot(schema);
      rememberAll(root);
      const compiled = compileSchemaValue(schema);
      for (const value of values) {
        const meter = new Meter(1_000_000);
        const { valid, reasons } = explain(root, value, meter, 32);
        expect(verdict(compiled, value)).toEqual({ valid, units: meter.units });
        expect(reasons.length > 0).toBe(!valid);
      }
    }),
    { numRuns: 1_500 },
  );
});

/** Ajv 8.20 accepts `[]` for `contains` where `prefixItems` stands beside it. */
function ajvErrs(schema: Json1Value): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if ("prefixItems" in schema && "contains" in schema) return true;
  return Object.values(schema).some(ajvErrs);
}

/** The verdict of ajv; `undefined` where the code it generated names a variable that it did not declare. */
function ajvVerdict(schema: unknown, value: unknown): boolean | undefined {
  try {
    return new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, logger: false }).compile(schema as object)(value);
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

it("the verdict is that of another validator", () => {
  fc.assert(
    fc.property(pair, ([schema, values]) => {
      fc.pre(!ajvErrs(schema));
      const compiled = compileSchemaValue(schema);
      // Only Schema/1 names its dialect so, and only JSON/1 objects lack a prototype.
      const { $schema: _, ...plain } = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
      for (const value of values) {
        const other = ajvVerdict(plain, JSON.parse(JSON.stringify(value)));
        fc.pre(other !== undefined);
        const { valid } = compiled.validate(value);
        expect({ valid, schema, value }).toEqual({ valid: other, schema, value });
      }
    }),
    { numRuns: 300 },
  );
});

it("units never depend on the order of members, in the schema or the value", () => {
  fc.assert(
    fc.property(pair, ([schema, values]) => {
      const compiled = compileSchemaValue(schema);
      const other = compileSchemaValue(reversed(schema));
      for (const value of values) {
        const met = verdict(compiled, value);
        expect(verdict(compiled, reversed(value))).toEqual(met);
        expect(verdict(other, reversed(value))).toEqual(met);
      }
    }),
    { numRuns: 500 },
  );
});

it("a budget of n passes where n-1 refuses, whatever the verdict", () => {
  fc.assert(
    fc.property(pair, ([schema, values]) => {
      const compiled = compileSchemaValue(schema);
      for (const value of values) {
        const met = verdict(compiled, value);
        if (typeof met === "string") throw new Error(met);
        expect(verdict(compiled, value, met.units)).toEqual(met);
        if (met.units > 1) expect(verdict(compiled, value, met.units - 1)).toBe("SCHEMA_LIMIT_EXCEEDED");
        const { units } = compiled.validate(value, { budget: met.units });
        expect(units).toBe(met.units);
      }
    }),
    { numRuns: 500 },
  );
});
