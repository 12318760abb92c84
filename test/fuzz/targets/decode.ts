/** Decoding at types: the quick way and the exact way say the same, and what was decoded has one text. */
import { codecFor } from "../../../src/codec/codec.ts";
import type { Mode } from "../../../src/codec/decode.ts";
import { parseJson } from "../../../src/json/read.ts";
import type { Term } from "../../../src/types/terms.ts";
import { mutateJson } from "../json-text.ts";
import { attempt, require, requireSame, type Target, TEXT_CODES, verdict } from "../target.ts";
import { vectors } from "../vectors.ts";

/** Codes of values, R35's first list. */
const VALUE_CODES: ReadonlySet<string> = new Set([
  ...TEXT_CODES,
  ..."kind not-whole missing-member undeclared-member unknown-constructor spelling order no-value not-decodable".split(" "),
]);

const NO_ORDER: ReadonlySet<string> = new Set(["order"]);

const samples = vectors("decode").map((vector) => ({
  codec: codecFor(parseJson(JSON.stringify(vector["type"])) as unknown as Term, parseJson(JSON.stringify(vector["declarations"])) as never),
  json: vector["json"] as string,
}));

const words = [
  ...'"Some"|"None"|{"Some":1}|"1970-01-01T00:00:00Z"|"2026-02-30T00:00:00Z"|"0001-01-01T00:00:00.5Z"|"PT1S"|"1s"|"-5ns"|"1.5s"'.split("|"),
  ...'"AA=="|"AB=="|"AAA"|[[1,2]]|[["a",1]]|{"One":3}|{"Two":[3,"a"]}|{"Named":{"x":1}}|[1,2,3]|"0"|1.0|1e2'.split("|"),
];

/** An input is the number of a type, a line feed, and a JSON text. */
export const decode: Target = {
  name: "decode",
  seeds: samples.map(({ json }, i) => `${i}\n${json}`),
  mutate(input, random, other) {
    const end = input.indexOf("\n");
    const index = random(20) === 0 ? random(samples.length) : input.slice(0, end);
    return `${index}\n${mutateJson(input.slice(end + 1), random, words, other.slice(other.indexOf("\n") + 1))}`;
  },
  check(input) {
    const end = input.indexOf("\n");
    const codec = samples[Number(input.slice(0, Math.max(0, end)))]?.codec;
    if (codec === undefined) return;
    const text = input.slice(end + 1);
    const json = attempt(() => parseJson(text), TEXT_CODES);
    for (const mode of ["lenient", "strict"] satisfies Mode[]) {
      for (const grant of ["none", "all"] as const) {
        const quick = attempt(() => codec.decode(text, { mode, grant }), VALUE_CODES);
        if (json.refused !== undefined) {
          requireSame(verdict(quick), verdict(json), "a fault of the text");
          continue;
        }
        const exact = attempt(() => codec.decodeRead(json.value, mode, grant), VALUE_CODES);
        requireSame(verdict(quick), verdict(exact), "the quick and the exact way");
        if (quick.refused !== undefined || exact.refused !== undefined) continue;
        const written = codec.encode(quick.value);
        requireSame(written, codec.encode(exact.value), "values of the quick and the exact way");
        const again = attempt(() => codec.decode(written, { mode: "strict", grant }), VALUE_CODES);
        require(again.refused === undefined, "encoded and cannot be decoded", written, again.refused?.message);
        requireSame(codec.encode(again.value), written, "canonical text of canonical text");
        // Host tokens have no order, so nobody can say whether two are equal.
        const same = attempt(() => codec.equals(again.value, quick.value), NO_ORDER);
        require(same.refused !== undefined || same.value, "the same text, other values", written);
      }
    }
  },
};
