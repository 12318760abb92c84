/** Packages: FLOW.md, its frontmatter and the descriptors that it references. The vectors have the plain cases. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { isFlowError, readFlowMarkdown, readPackage, sessionStoreDescriptor } from "../../src/contracts/index.ts";
import { readReference } from "../../src/contracts/package/path.ts";

const encoder = new TextEncoder();
const DESCRIPTOR = JSON.stringify(sessionStoreDescriptor);

function files(given: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(given).map(([path, text]) => [path, encoder.encode(text)]));
}

function flow(yaml: string): string {
  return `---\nname: reader\ndescription: d\n${yaml}\n---\n\n# Reader\n`;
}

async function faults(given: Readonly<Record<string, string>>): Promise<readonly [string, unknown][]> {
  try {
    await readPackage(files(given));
    return [];
  } catch (error) {
    if (!isFlowError(error)) throw error;
    return (error.errors.length === 0 ? [error] : error.errors).map(({ code, at }) => [code, at]);
  }
}

/** The value of one frontmatter entry. */
function value(yaml: string): unknown {
  return (readFlowMarkdown(encoder.encode(`---\nv: ${yaml}\n---\n`)).frontmatter as { v: unknown }).v;
}

afterEach(() => vi.unstubAllGlobals());

it("gives what the package says, frozen, with its contracts compiled", async () => {
  const read = await readPackage(
    files({
      "FLOW.md": flow("uses:\n  one: {contract: ./a.json}\n  two: {contract: ./a.json}\n  own: {local: true}\nx-note: 1"),
      "a.json": DESCRIPTOR,
    }),
  );
  expect(read).toMatchObject({ name: "reader", description: "d", fallback: undefined, body: "\n# Reader\n", frontmatter: { "x-note": 1 } });
  expect(Object.keys(read.uses)).toEqual(["one", "two", "own"]);
  expect(read.uses["one"]?.contract).toBe(read.uses["two"]?.contract);
  expect(read.uses["own"]).toEqual({ local: true });
  expect(read.uses["toString"]).toBeUndefined();
  expect([read, read.uses, read.frontmatter, read.uses["own"]].every(Object.isFrozen)).toBe(true);
});

it("touches no network", async () => {
  const denied = vi.fn(() => {
    throw new Error("no network");
  });
  vi.stubGlobal("fetch", denied);
  vi.stubGlobal("XMLHttpRequest", denied);
  vi.stubGlobal("WebSocket", denied);
  const { uses } = await readPackage(files({ "FLOW.md": flow("uses:\n  s:\n    contract: ./a.json"), "a.json": DESCRIPTOR }));
  expect(uses["s"]?.contract?.digest).toBe("sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98");
  expect(denied).not.toHaveBeenCalled();
});

it("tells independent faults together, and those of a descriptor as its cause", async () => {
  const yaml =
    "version: 1\nuses:\n  A: {local: true}\n  b: {contract: a.json}\n  c: {contract: ./gone.json}\n  d: {contract: ./bad.json}\n  e: {local: 1}\nfallback: x";
  expect(await faults({ "FLOW.md": flow(yaml), "bad.json": "{}" })).toEqual([
    ["PACKAGE_FIELD_INVALID", "/version"],
    ["PACKAGE_FIELD_INVALID", "/fallback"],
    ["PACKAGE_SLOT_INVALID", "/uses/A"],
    ["PACKAGE_PATH_INVALID", "/uses/b/contract"],
    ["PACKAGE_FILE_MISSING", "/uses/c/contract"],
    ["PACKAGE_DESCRIPTOR_INVALID", "/uses/d/contract"],
    ["PACKAGE_SLOT_INVALID", "/uses/e"],
  ]);
  await expect(readPackage(files({ "FLOW.md": flow("uses: {d: {contract: ./bad.json}}"), "bad.json": "{}" }))).rejects.toMatchObject({
    cause: { code: "CONTRACT_MEMBER_MISSING", errors: { length: 5 } },
  });
});

it("needs a FLOW.md, by exact case", async () => {
  expect(await faults({ "flow.md": flow("") })).toEqual([["PACKAGE_FILE_MISSING", ""]]);
});

describe("frontmatter", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["true", true],
    ["-0.50e1", -5],
    ["0", 0],
    ["~", "~"],
    ["yes", "yes"],
    ["True", "True"],
    ["NULL", "NULL"],
    ["", ""],
    ["012", "012"],
    ["0x1F", "0x1F"],
    ["+1", "+1"],
    [".5", ".5"],
    [".inf", ".inf"],
    ["1_000", "1_000"],
    ["2024-01-01", "2024-01-01"],
    ["'null'", "null"],
    ['"1"', "1"],
    ["|\n  1\n", "1\n"],
    [">-\n  a\n  b", "a b"],
    ["a # comment", "a"],
    ["[a, [], {}]", ["a", [], {}]],
    ["a\n  b", "a b"],
    ['"\\u00e9\\x41\\U0001F600"', "éA😀"],
    ["{__proto__: 1}", JSON.parse('{"__proto__":1}')],
    ["{'<<': 1}", { "<<": 1 }],
  ])("%j is %j", (yaml, expected) => {
    expect(JSON.stringify(value(yaml))).toBe(JSON.stringify(expected));
  });

  it.each<[string, string]>([
    ["&a 1", "an anchor"],
    ["*a", "an alias"],
    ["!!int 1", "an explicit tag"],
    ["! 1", "an explicit tag"],
    ["[!x 1]", "an explicit tag"],
    ["!!map {}", "an explicit tag"],
    ["{? &k a : 1}", "an anchor"],
    ["{<<: {a: 1}}", "no merge key"],
    ["{1: a}", "string keys"],
    ["{null: a}", "string keys"],
    ["{[a]: 1}", "string keys"],
    ["{a: 1, 'a': 2}", "unique"],
    ["1e400", "finite"],
    ["9007199254740993", "±9007199254740991"],
    ['"\\ud800"', "Unicode scalar"],
    ["[", "flow"],
    ["a\n--- b", "YAML"],
    ["1\n...\nw: 2", "YAML"],
  ])("refuses %j", (yaml, reason) => {
    expect(() => value(yaml)).toThrow(
      expect.objectContaining({ code: "PACKAGE_YAML_INVALID", message: expect.stringMatching(new RegExp(reason, "i")) }),
    );
  });

  it("repeats no long text of the library that reads it", () => {
    for (const yaml of [`>${"9".repeat(3_000)}`, `a: ${"*".repeat(3_000)}`, `"${"\\x".repeat(3_000)}"`]) {
      expect(() => value(yaml)).toThrow(
        expect.objectContaining({ code: "PACKAGE_YAML_INVALID", message: expect.stringMatching(/^.{0,400}$/s) }),
      );
    }
  });

  it("refuses directives", () => {
    expect(() => readFlowMarkdown(encoder.encode("---\n%YAML 1.1\nname: a\n---\n"))).toThrow(
      expect.objectContaining({ code: "PACKAGE_YAML_INVALID" }),
    );
  });

  it("holds its limits, each to the last", () => {
    const at = (yaml: string): string => {
      try {
        value(yaml);
        return "read";
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const past = "PACKAGE_LIMIT_EXCEEDED";
    // The root map has depth 1.
    expect([at(`${"[".repeat(15)}${"]".repeat(15)}`), at(`${"[".repeat(16)}${"]".repeat(16)}`)]).toEqual(["read", past]);
    expect([at(`${"[".repeat(14)}1${"]".repeat(14)}`), at(`${"[".repeat(15)}1${"]".repeat(15)}`)]).toEqual(["read", past]);
    expect([at(`[${Array(256).fill(1).join()}]`), at(`[${Array(257).fill(1).join()}]`)]).toEqual(["read", past]);
    // 2 + 16 * (1 + 254) + 14 nodes, and one more.
    const rows = Array(16)
      .fill(`[${Array(254).fill(1).join()}]`)
      .join();
    expect([at(`[${rows},${Array(14).fill(1).join()}]`), at(`[${rows},${Array(15).fill(1).join()}]`)]).toEqual(["read", past]);
    const bytes = (length: number): string => `"${"é".repeat(1)}${"a".repeat(length - 'v: "é"\n'.length - 1)}"`;
    expect([at(bytes(262_144)), at(bytes(262_145))]).toEqual(["read", past]);
  });

  it("ends at the first line of three hyphens, at the end of the file too", () => {
    expect(readFlowMarkdown(encoder.encode("---\r\na: 1\r\n---\r\nbody\r\n"))).toEqual({ frontmatter: { a: 1 }, body: "body\r\n" });
    expect(readFlowMarkdown(encoder.encode("---\na: |\n ---\n  ----\n---"))).toMatchObject({ body: "" });
  });

  it.each([" ---\na: 1\n---\n", "---a\n---\n", "---\na: 1\n --- \n", "---\na: 1\n---x\n", "---\r\na: 1\r\n--- \r\n", ""])(
    "refuses %j",
    (text) => {
      expect(() => readFlowMarkdown(encoder.encode(text))).toThrow(expect.objectContaining({ code: "PACKAGE_FRONTMATTER_INVALID" }));
    },
  );
});

describe("references", () => {
  it.each([
    ["./a", "a"],
    ["./a b/%2e%2e/é.json", "a b/%2e%2e/é.json"],
    [`./${"a/".repeat(63)}b`, `${"a/".repeat(63)}b`],
    [`./${"x".repeat(255)}`, "x".repeat(255)],
  ])("takes %#", (reference, path) => {
    expect(readReference(reference)).toEqual({ path });
  });

  it.each([
    "a",
    "/a",
    "./",
    ".",
    "././a",
    "./../a",
    "./a/..",
    "./a//b",
    "./a/",
    "./a\\b",
    "./a\0",
    "./e\u0301",
    "https://a.b/c",
    `./${"a/".repeat(64)}b`,
    `./${"x".repeat(256)}`,
    `./${"é".repeat(128)}`,
    `./${Array(5).fill("x".repeat(240)).join("/")}`,
  ])("refuses %#", (reference) => {
    expect(readReference(reference)).toHaveProperty("expected");
  });
});
