/** The two canonical texts of this library, and where they differ. */
import { expect, it } from "vitest";
import { canonicalJson1, readJson1 } from "../../src/contracts/index.ts";
import { parseJson } from "../../src/json/read.ts";
import { canonicalText } from "../../src/json/write.ts";

const flow = (text: string): string => canonicalText(parseJson(text));
const rfc8785 = (text: string): string => canonicalJson1(readJson1(text));

it.each([
  ["1.0", "1", "1"],
  ['{"b":1,"a":[true,null,"é\\u0000"]}', '{"a":[true,null,"é\\u0000"],"b":1}', '{"a":[true,null,"é\\u0000"],"b":1}'],
])("of %s they are the same", (text, inFlow, inRfc) => {
  expect([flow(text), rfc8785(text)]).toEqual([inFlow, inRfc]);
});

it.each([
  ["numbers beyond 1e21 and below 1e-6", "[0.0000001,1.5e-7]", "[0.0000001,0.00000015]", "[1e-7,1.5e-7]"],
  ["digits that binary64 does not have", "0.10000000000000000001", "0.10000000000000000001", "0.1"],
  ["order of names beyond the basic plane", '{"\ufb33":1,"😀":2}', '{"\ufb33":1,"😀":2}', '{"😀":2,"\ufb33":1}'],
])("they differ in %s", (_, text, inFlow, inRfc) => {
  expect([flow(text), rfc8785(text)]).toEqual([inFlow, inRfc]);
});

it("a number that one holds and the other refuses", () => {
  expect(flow("9007199254740993")).toBe("9007199254740993");
  expect(() => rfc8785("9007199254740993")).toThrow("±9007199254740991");
});
