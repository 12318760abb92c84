/**
 * Schemas against codecs, on random types: another validator judges by the schema what the codec encodes and decodes.
 *
 * A schema describes the encoding and adds no rule, so it accepts whatever the codec accepts. It cannot say everything
 * the codec says; what it leaves open is listed below, and all else that the codec refuses, it refuses as well.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Codec, codecFor } from "../../src/codec/codec.ts";
import { FlowError } from "../../src/json/errors.ts";
import { parseJson } from "../../src/json/read.ts";
import { canonicalText } from "../../src/json/write.ts";
import { TOOL } from "../../src/types/graph.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { substitute } from "../../src/types/substitute.ts";
import type { Declarations, Term } from "../../src/types/terms.ts";
import { mutated, randomValue } from "../support/random-values.ts";
import { type Random, randomFrom, randomSpec } from "../types/random.ts";

/**
 * Codes for what a schema leaves open: `order` of sets and dictionaries, `spelling` of instants, durations and base64
 * (formats are annotations). Number size (`limit`) does not occur here, and members twice are gone once JSON was parsed.
 */
const LEFT_OPEN = new Set(["order", "spelling"]);

/** What the type parameters of a random Tool are bound to. */
const BOUND: readonly Term[] = ["Int", "Text", "json.Value", { Option: "Int" }, { Option: { Option: "Text" } }, { List: "Bool" }];

/** Making one takes longer than compiling many schemas. Whether schemas are valid is another test's question. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });

interface Typed {
  readonly codec: Codec;
  readonly accepts: (text: string) => boolean;
  readonly declarations: Declarations;
}

/** A concrete type, its codec and its schema in the hands of ajv. */
function typed(random: Random, seed: number): Typed | undefined {
  const spec = readTypeSpec(randomSpec(seed));
  const roots = [spec.ok, spec.err, ...spec.params.map(({ type }) => type)];
  const args = spec.generic.map(() => BOUND[random(BOUND.length)] as Term);
  const term = substitute(roots[random(roots.length)] as Term, TOOL, args);
  try {
    const codec = codecFor(term, spec.declarations);
    let validate: ValidateFunction;
    const accepts = (text: string): boolean => {
      validate ??= ajv.compile(JSON.parse(canonicalText(codec.schema(), { depth: 1_000 })) as object);
      return validate(JSON.parse(text)) === true;
    };
    return { codec, accepts, declarations: spec.declarations };
  } catch (caught) {
    // A binding may make items of a Set that have no order.
    if (caught instanceof FlowError && caught.code === "crossing") return undefined;
    throw caught;
  }
}

/** The code with which a codec refuses a text. */
function refused(codec: Codec, text: string): string | undefined {
  try {
    codec.decode(text, { grant: "all" });
    return undefined;
  } catch (caught) {
    if (caught instanceof FlowError) return caught.code;
    throw caught;
  }
}

const PARAMETERS = { numRuns: 300 };

describe("the schema of a random type", () => {
  it("accepts every value that the codec encodes", () => {
    let values = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const type = typed(random, seed);
        if (type === undefined) return;
        for (let i = 0; i < 5; i++) {
          const made = randomValue(random, type.codec.term, type.declarations);
          if (made === undefined) continue;
          const text = type.codec.encode(made.value);
          values++;
          if (!type.accepts(text)) throw new Error(`${type.codec.title} encodes what its schema refuses: ${text}`);
        }
      }),
      PARAMETERS,
    );
    expect(values).toBeGreaterThan(500);
  });

  it("refuses what the codec refuses, and accepts what it accepts, but for what a schema leaves open", () => {
    const counted = { mutations: 0, refused: 0, refusedByBoth: 0, leftOpen: 0, nulls: 0 };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const type = typed(random, seed);
        const made = type === undefined ? undefined : randomValue(random, type.codec.term, type.declarations);
        if (type === undefined || made === undefined) return;
        const json = parseJson(type.codec.encode(made.value));
        for (let i = 0; i < 20; i++) {
          const text = canonicalText(mutated(random, json));
          const code = refused(type.codec, text);
          const accepted = type.accepts(text);
          counted.mutations++;
          if (code !== undefined) counted.refused++;
          if (code !== undefined && !accepted) counted.refusedByBoth++;
          if (code === undefined && !accepted) {
            // A decoder takes null for an Option field that is None (R4); writing leaves it out, and so does the schema.
            expect(text, `${type.codec.title} decodes what its schema refuses`).toContain("null");
            expect(type.accepts(type.codec.encode(type.codec.decode(text, { grant: "all" })))).toBe(true);
            counted.nulls++;
          }
          if (code !== undefined && accepted) {
            expect(LEFT_OPEN, `${type.codec.title} refuses ${text} as ${code}, and its schema accepts it`).toContain(code);
            counted.leftOpen++;
          }
        }
      }),
      PARAMETERS,
    );
    expect(counted.mutations).toBeGreaterThan(2_000);
    expect(counted.refused).toBeGreaterThan(1_000);
    // Nothing between: what is refused by the codec alone is in the list above, and it is little.
    expect(counted.refusedByBoth + counted.leftOpen).toBe(counted.refused);
    expect(counted.refusedByBoth / counted.refused, JSON.stringify(counted)).toBeGreaterThan(0.8);
  });

  it("says integer where the codec keeps every digit: the size of a number is left open", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const type = typed(random, seed);
        const made = type === undefined ? undefined : randomValue(random, type.codec.term, type.declarations, { exact: true });
        if (type === undefined || made === undefined) return;
        const text = type.codec.encode(made.value);
        expect(type.codec.encode(type.codec.decode(text, { grant: "all" }))).toBe(text);
      }),
      PARAMETERS,
    );
    expect(ajv.compile(JSON.parse(canonicalText(codecFor("Int").schema())) as object)(Number("1e300"))).toBe(true);
    expect(refused(codecFor("Int"), "1e5000")).toBe("limit");
  });
});
