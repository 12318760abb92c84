/** JSON/1: what is read, what is refused and where. The vectors have the rest. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { admitJson1, canonicalJson1, isFlowError, Json1Text, type Json1Value, readJson1 } from "../../src/contracts/index.ts";

function refusal(action: () => unknown): { code: string; at: unknown; offset: number | undefined } | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!isFlowError(error)) throw error;
    return { code: error.code, at: error.at, offset: error.offset };
  }
}

it.each<[string, string, string, number]>([
  ['{"a":[1,{"b":01}]}', "syntax", "", 14],
  ['{"a":[1,{"b":0,"b":1}]}', "duplicate-member", "/a/1/b", 15],
  ['{"a/~":["\\ud800"]}', "lone-surrogate", "/a~1~0/0", 9],
  ['[[],[{"x":1e300}]]', "number", "/1/0/x", 10],
  [`{"n":${"1".repeat(129)}}`, "limit", "/n", 5],
  ["[1,2", "syntax", "", 4],
])("refuses %j with %s at %j", (text, code, at, offset) => {
  expect(refusal(() => readJson1(text))).toEqual({ code, at, offset });
});

it("counts offsets in bytes where it was given bytes", () => {
  const text = '["é😀",01]';
  expect(refusal(() => readJson1(text))?.offset).toBe(8);
  expect(refusal(() => readJson1(new TextEncoder().encode(text)))?.offset).toBe(11);
});

it("gives objects that inherit nothing and hold every name", () => {
  const value = readJson1('{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}') as Record<string, Json1Value>;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor", "hasOwnProperty"]);
  expect(value["__proto__"]).toMatchObject({ x: 1 });
  expect((readJson1("{}") as Record<string, unknown>)["toString"]).toBeUndefined();
  expect(Object.getPrototypeOf(Object.getPrototypeOf(readJson1("{}")))).toBeNull();
  // The empty prototype that all of them share cannot be given members.
  expect(() => Object.assign(Object.getPrototypeOf(readJson1("{}")), { polluted: 1 })).toThrow(TypeError);
});

it("reads back what JSON.stringify writes, for every value of the model", () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
  fc.assert(
    fc.property(value, (plain) => {
      const text = JSON.stringify(plain);
      const rejected = refusal(() => readJson1(text));
      if (rejected !== undefined) expect(["number", "lone-surrogate"]).toContain(rejected.code);
      else
        expect(JSON.parse(canonicalJson1(readJson1(text)))).toEqual(
          JSON.parse(text, (_, member: unknown) => (Object.is(member, -0) ? 0 : member)),
        );
    }),
  );
});

it("refuses exactly the texts that JSON.parse does, but for what JSON/1 is narrower in", () => {
  const fragment = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\",
    "\\u0",
    "a",
    "1",
    "0",
    "-",
    ".",
    "e",
    "+",
    "true",
    "null",
    " ",
    "\n",
    "\u00a0",
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) => {
      const text = fragments.join("");
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        expect(refusal(() => readJson1(text))?.code).toBe("syntax");
        return;
      }
      const rejected = refusal(() => readJson1(text));
      if (rejected === undefined) expect(readJson1(text)).toEqual(Object.is(parsed, -0) ? 0 : parsed);
      else expect(["number", "duplicate-member", "lone-surrogate"]).toContain(rejected.code);
    }),
    { numRuns: 3_000 },
  );
});

it("admits plain data as a tree of its own", () => {
  const shared = { x: [1, -0] };
  const admitted = admitJson1({ a: shared, b: shared, left: undefined });
  shared.x.push(2);
  expect(canonicalJson1(admitted)).toBe('{"a":{"x":[1,0]},"b":{"x":[1,0]}}');
  expect(admitJson1(new Json1Text('{"a":1.0}'))).toEqual({ a: 1 });
});

it.each<[unknown, string, string]>([
  [{ a: [undefined] }, "kind", "/a/0"],
  [{ a: 1n }, "kind", "/a"],
  [{ a: new Date(0) }, "kind", "/a"],
  [{ a: Number.NaN }, "number", "/a"],
  [2 ** 53, "number", ""],
  [["\ud800"], "lone-surrogate", "/0"],
  [{ ["x".repeat(1_025)]: 1 }, "limit", ""],
])("does not admit %o", (data, code, at) => {
  expect(refusal(() => admitJson1(data))).toMatchObject({ code, at });
});

it("ends at data that holds itself", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(refusal(() => admitJson1(cycle))?.code).toBe("limit");
  // Sharing that doubles at every level is a tree of more values than one document may have.
  let doubled: unknown = 1;
  for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
  expect(refusal(() => admitJson1(doubled))?.code).toBe("limit");
});
