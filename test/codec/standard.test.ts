import { isResponseValidationError, up } from "up-fetch";
import { describe, expect, it } from "vitest";
import { codecFor } from "../../src/codec/codec.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { Instant } from "../../src/values/instant.ts";
import { FlowSet } from "../../src/values/set.ts";
import { codecOf, refusal } from "../support/codecs.ts";
import { list, named, option, record, set } from "../types/build.ts";

interface Order {
  readonly id: bigint;
  readonly price: Decimal;
  readonly at: Instant;
  readonly tags: FlowSet<string>;
  readonly note?: string;
}

const order = codecOf<Order>(named("o"), {
  o: record("Order", { id: "Int", price: "Decimal", at: "Instant", tags: set("Text"), note: option("Text") }),
});

const { validate, jsonSchema, version, vendor } = order["~standard"];
const plain = { id: 1, price: 12.5, at: "2026-01-01T00:00:00Z", tags: ["a", "b"] };

describe("a codec as a Standard Schema (R44)", () => {
  it("validates parsed JSON and gives the Flow value", () => {
    expect([version, vendor]).toEqual([1, "flow-host"]);
    const result = validate(plain);
    expect(result).toEqual({ value: { id: 1n, price: Decimal.from("12.5"), at: Instant.parse(plain.at), tags: expect.any(FlowSet) } });
    expect(validate({ ...plain, note: undefined, more: 1 })).toHaveProperty("value");
    expect(codecFor("Int")["~standard"].validate(2 ** 60)).toEqual({ value: 1152921504606847000n });
    expect(codecFor("Int")["~standard"].validate(-0)).toEqual({ value: 0n });
    expect(codecFor("Text")["~standard"].validate("null")).toEqual({ value: "null" });
    expect(codecFor("Decimal")["~standard"].validate(0.1)).toEqual({ value: Decimal.from("0.1") });
  });

  it("gives issues with a message and a path, indices as numbers", () => {
    expect(validate({ ...plain, tags: ["a", 1] })).toEqual({ issues: [{ message: expect.stringContaining("Text"), path: ["tags", 1] }] });
    expect(validate({ ...plain, id: 1.5 })).toEqual({ issues: [{ message: expect.stringContaining("Int"), path: ["id"] }] });
    expect(validate({ ...plain, id: undefined })).toEqual({ issues: [{ message: expect.stringContaining('"id"'), path: [] }] });
    expect(validate(undefined)).toHaveProperty("issues");
    expect(validate({ ...plain, price: Number.NaN })).toEqual({ issues: [{ message: expect.any(String), path: ["price"] }] });
    const numbered = codecOf(named("n"), { n: record("N", { "0": list("Int") }) });
    expect(numbered["~standard"].validate({ 0: ["x"] })).toEqual({ issues: [{ message: expect.any(String), path: ["0", 0] }] });
  });

  it("gives the JSON Schema of its input, for draft 2020-12", () => {
    expect(jsonSchema.input({ target: "draft-2020-12" })).toMatchObject({ $ref: "#/$defs/r@1.0.0~1m.flow.Order" });
    expect(codecOf(list("Unit"))["~standard"].jsonSchema.input({ target: "draft-2020-12" })).toEqual({
      type: "array",
      items: { type: "array", maxItems: 0 },
    });
    expect(refusal(() => jsonSchema.input({ target: "draft-07" }))).toBe("unsupported ");
    expect(refusal(() => jsonSchema.output({ target: "draft-2020-12" }))).toBe("unsupported ");
  });

  it("is taken by a library that consumes one", async () => {
    const answering = (body: unknown) => up((_input: Request, _options?: object) => Promise.resolve(Response.json(body)));
    const fetched = await answering(plain)(new Request("https://example.test/"), { schema: order });
    // The library infers the type of what it gives from the codec.
    const { id, tags }: Order = fetched;
    expect([id, [...tags]]).toEqual([1n, ["a", "b"]]);
    const failed = await answering({ ...plain, tags: ["b", "a"] })(new Request("https://example.test/"), { schema: order }).catch(
      (error: unknown) => error,
    );
    expect(isResponseValidationError(failed) && failed.issues).toEqual([
      { message: expect.stringContaining("ascending"), path: ["tags", 1] },
    ]);
  });
});
