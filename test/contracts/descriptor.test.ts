/** Descriptors: exact members, bounds, faults told together, and a result that nothing can change. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admitJson1,
  contractDigest,
  isContract,
  isContractId,
  isContractVersion,
  isFlowError,
  isLocalName,
  readContract,
  readContractValue,
  sessionStoreDescriptor,
} from "../../src/contracts/index.ts";

const SESSION_STORE = "sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98";

async function faults(descriptor: unknown): Promise<readonly [string, unknown][]> {
  try {
    await readContract(JSON.stringify(descriptor));
    return [];
  } catch (error) {
    if (!isFlowError(error)) throw error;
    return (error.errors.length === 0 ? [error] : error.errors).map(({ code, at }) => [code, at]);
  }
}

it("the session-store example has the digest that the specification gives", async () => {
  const contract = await readContractValue(sessionStoreDescriptor);
  expect(contract).toMatchObject({ id: "https://example.org/contracts/session-store", version: "1.0.0", digest: SESSION_STORE });
  expect((await readContract(JSON.stringify(sessionStoreDescriptor, null, "\t"))).digest).toBe(SESSION_STORE);
  expect(await contractDigest(sessionStoreDescriptor)).toBe(SESSION_STORE);
});

it("is frozen, all the way down, and still validates", async () => {
  const contract = await readContract(JSON.stringify(sessionStoreDescriptor));
  const reached = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || reached.has(value)) return;
    reached.add(value);
    expect(Object.isFrozen(value)).toBe(true);
    Object.values(value).forEach(visit);
  };
  visit(contract);
  expect(reached.size).toBeGreaterThan(20);
  const { read } = contract.methods;
  expect(read?.input.validate(admitJson1({ sessionId: "s-1" })).valid).toBe(true);
  expect(read?.errors["not-found"]?.validate(admitJson1({}), { code: "INVALID_RESULT" }).diagnostics).toMatchObject([
    { code: "INVALID_RESULT", instance: "", schema: "/$defs/NotFound/required", keyword: "required" },
  ]);
  // Names that objects usually inherit are no methods.
  expect(contract.methods["constructor"]).toBeUndefined();
});

it("tells what it read from what looks like it", async () => {
  const contract = await readContract(JSON.stringify(sessionStoreDescriptor));
  expect(isContract(contract)).toBe(true);
  expect(isContract({ ...contract })).toBe(false);
  expect(isContract(null)).toBe(false);
});

it("tells independent faults together, each at its place", async () => {
  const descriptor = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    id: "https://Example.org/a",
    version: "1.0",
    title: "T",
    methods: {
      Read: { input: true, output: { type: "float" }, errors: { "not/found": { $ref: "#/$defs/Gone" } }, note: 1 },
      write: { input: null, errors: [] },
    },
    $defs: { "a-b": true, Ok: { pattern: "x" } },
  };
  expect(await faults(descriptor)).toEqual([
    ["CONTRACT_MEMBER_MISSING", ""],
    ["CONTRACT_MEMBER_UNKNOWN", "/title"],
    ["CONTRACT_VALUE_INVALID", "/$schema"],
    ["CONTRACT_ID_INVALID", "/id"],
    ["CONTRACT_VERSION_INVALID", "/version"],
    ["CONTRACT_NAME_INVALID", "/$defs/a-b"],
    ["SCHEMA_KEYWORD_UNSUPPORTED", "/$defs/Ok/pattern"],
    ["CONTRACT_NAME_INVALID", "/methods/Read"],
    ["CONTRACT_MEMBER_UNKNOWN", "/methods/Read/note"],
    ["SCHEMA_INVALID", "/methods/Read/output/type"],
    ["CONTRACT_NAME_INVALID", "/methods/Read/errors/not~1found"],
    ["CONTRACT_MEMBER_MISSING", "/methods/write"],
    ["SCHEMA_INVALID", "/methods/write/input"],
    ["CONTRACT_VALUE_INVALID", "/methods/write/errors"],
    ["SCHEMA_REFERENCE_INVALID", "/methods/Read/errors/not~1found/$ref"],
  ]);
});

it("tells where a text is no JSON/1", async () => {
  const text = '{"$schema":1,\n "id":01}';
  await expect(readContract(text)).rejects.toMatchObject({ code: "CONTRACT_JSON_INVALID", offset: 21, cause: { code: "syntax" } });
  await expect(readContract(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).rejects.toMatchObject({ code: "CONTRACT_JSON_INVALID" });
});

it("counts bytes, not characters, of a text, and the canonical text of a value", async () => {
  const text = JSON.stringify({
    ...sessionStoreDescriptor,
    $defs: { ...(sessionStoreDescriptor["$defs"] as object), D: { title: "é".repeat(131_000) } },
  });
  expect(text.length).toBeLessThan(262_144);
  await expect(readContract(text)).rejects.toMatchObject({ code: "CONTRACT_LIMIT_EXCEEDED" });
  await expect(readContractValue(JSON.parse(text))).rejects.toMatchObject({ code: "CONTRACT_LIMIT_EXCEEDED" });
});

it("every change of any value changes the digest", async () => {
  const places: (readonly (string | number)[])[] = [];
  const collect = (value: unknown, path: readonly (string | number)[]): void => {
    if (path.length > 0) places.push(path);
    if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) collect((value as Record<string, unknown>)[key], [...path, key]);
    }
  };
  collect(sessionStoreDescriptor, []);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 1 }), async (path, replacement) => {
      const copy = structuredClone(JSON.parse(JSON.stringify(sessionStoreDescriptor))) as Record<string, unknown>;
      let parent = copy;
      for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
      const key = path.at(-1) as string;
      fc.pre(JSON.stringify(parent[key]) !== JSON.stringify(replacement));
      parent[key] = replacement;
      let admitted: ReturnType<typeof admitJson1>;
      try {
        admitted = admitJson1(copy);
      } catch {
        return;
      }
      expect(await contractDigest(admitted)).not.toBe(SESSION_STORE);
    }),
  );
});

describe("identity", () => {
  // Written a second time, by characters instead of by a split and patterns.
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
  const segment = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/).filter((text) => text !== "." && text !== "..");

  it("admits every URI of the form, and none with one character that does not belong", () => {
    const parts = fc.tuple(fc.array(label, { minLength: 2, maxLength: 4 }), fc.array(segment, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(parts, fc.nat(), fc.constantFrom(..."A%?#@:[]\\ \n\u00e9\u0000\"'{}|^`+&=!$*,;()"), ([labels, segments], at, odd) => {
        fc.pre(!labels.every((part) => /^[0-9]+$/.test(part)));
        const id = `https://${labels.join(".")}/${segments.join("/")}`;
        expect(isContractId(id)).toBe(true);
        const place = at % (id.length + 1);
        expect(isContractId(id.slice(0, place) + odd + id.slice(place))).toBe(false);
      }),
    );
  });

  it.each([
    "https://1.2.3.4/a",
    "https://a.b",
    "https://a/b",
    "https://a.b/c//d",
    "https://a.b/..",
    `https://${"a".repeat(64)}.b/c`,
    1,
    null,
  ])("refuses %j", (id) => {
    expect(isContractId(id)).toBe(false);
  });

  it("versions and names", () => {
    expect(["0.0.0", "10.20.30"].every(isContractVersion)).toBe(true);
    expect(["1.0", "01.0.0", "1.0.0-rc", "v1.0.0", "1.0.0\n", "", 1].some(isContractVersion)).toBe(false);
    expect(["a", "0", "a-1-b", "a".repeat(64)].every(isLocalName)).toBe(true);
    expect(["", "A", "a_b", "-a", "a-", "a--b", "a".repeat(65), "a\n", undefined].some(isLocalName)).toBe(false);
  });
});
