/** The required conformance cases of Capability Contract/1, each by its number (*Required conformance cases*). */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import {
  bindSlots,
  canonicalJson1,
  createContractCalls,
  type EffectProvider,
  functionProvider,
  type Json1Value,
  matchClaims,
  type Offer,
  readContract,
  readPackage,
  sessionStoreDescriptor,
} from "../../src/contracts/index.ts";
import { runPython } from "../support/python.ts";

const SESSION_STORE = JSON.stringify(sessionStoreDescriptor);
const encoder = new TextEncoder();

function packageOf(frontmatter: string, files: Readonly<Record<string, string>> = {}) {
  const entries = Object.entries({ "FLOW.md": `---\nname: reader\ndescription: d\n${frontmatter}\n---\n`, ...files });
  return readPackage(new Map(entries.map(([path, text]) => [path, encoder.encode(text)])));
}

/** The session store with members of its root replaced. */
function variant(members: object): Promise<Awaited<ReturnType<typeof readContract>>> {
  return readContract(JSON.stringify({ ...sessionStoreDescriptor, ...members }));
}

function offer(contract: Offer["contract"], more: Partial<Offer> = {}): Offer {
  return { authority: "publisher", trusted: true, contract, provider: functionProvider({ read: (input) => ({ value: input }) }), ...more };
}

/** The code of a failed call; `undefined` for a result. */
async function call(
  contract: Awaited<ReturnType<typeof readContract>>,
  provider: EffectProvider,
  method: string,
  input: unknown,
  offered: Offer["contract"] = contract,
) {
  const host = createContractCalls({ effects: { s: { contract, offered, provider } } });
  const { error } = await host.handle("effect/call", { operationId: "op", slot: "s", method, input });
  return error?.data?.code;
}

afterEach(() => vi.unstubAllGlobals());

it("1: an ordinary child Flow runs without a contract", async () => {
  expect((await packageOf("")).uses).toEqual({});
  const host = createContractCalls({ flows: { summarise: { call: ({ input }) => ({ outcome: "done", output: input }) } } });
  const { result } = await host.handle("flow/call", { operationId: "op", slot: "summarise", intent: "Sum it up.", input: ["text"] });
  expect(result).toEqual({ outcome: "done", output: ["text"] });
});

it("2: a local opaque effect has no portability claim and cannot masquerade as a public contract", async () => {
  const { uses } = await packageOf("uses: {scratch: {local: true}, sessions: {contract: ./s.json}}", { "s.json": SESSION_STORE });
  expect(uses["scratch"]).toEqual({ local: true });
  const local = functionProvider({ note: (input) => ({ value: input }) });
  const { effects, unbound } = bindSlots(uses, [], { scratch: local, sessions: local });
  expect(unbound.map(({ slot }) => slot)).toEqual(["sessions"]);
  const host = createContractCalls({ effects });
  expect((await host.handle("effect/call", { operationId: "a", slot: "scratch", method: "note", input: 1 })).result).toEqual({ value: 1 });
  expect((await host.handle("effect/call", { operationId: "b", slot: "sessions", method: "read", input: 1 })).error?.data?.code).toBe(
    "UNAVAILABLE",
  );
  await expect(packageOf("uses: {s: {local: true, contract: ./s.json}}", { "s.json": SESSION_STORE })).rejects.toMatchObject({
    code: "PACKAGE_SLOT_INVALID",
  });
  // Something that only looks like a contract that was read is not taken for one.
  const posing = { ...(await readContract(SESSION_STORE)) };
  expect(() => createContractCalls({ effects: { s: { contract: posing, offered: posing, provider: local } } })).toThrow(
    expect.objectContaining({ code: "usage" }),
  );
});

it("3: true schemas accept bounded JSON/1 while unknown methods and errors still reject", async () => {
  const open = await variant({ methods: { put: { input: true, output: true, errors: { full: true } } } });
  const echo: EffectProvider = { call: ({ input }) => ({ value: input }) };
  for (const input of [null, "", -1.5, [[{}]], { a: { b: [true] } }]) expect(await call(open, echo, "put", input)).toBeUndefined();
  for (const input of [2 ** 53, "\ud800", undefined, 1n])
    expect([undefined, "INVALID_INPUT"]).toContain(await call(open, echo, "put", input));
  expect(await call(open, echo, "put", 2 ** 53)).toBe("INVALID_INPUT");
  expect(await call(open, { call: () => ({ value: Number.POSITIVE_INFINITY }) }, "put", 1)).toBe("INVALID_RESULT");
  expect(await call(open, echo, "get", 1)).toBe("UNAVAILABLE");
  expect(await call(open, { call: () => ({ error: { name: "full", data: [1] } }) }, "put", 1)).toBeUndefined();
  expect(await call(open, { call: () => ({ error: { name: "gone", data: 1 } }) }, "put", 1)).toBe("INVALID_RESULT");
});

it("4: strict schemas validate inputs, successes and named error data", async () => {
  const contract = await readContract(SESSION_STORE);
  const good = { sessionId: "s-1" };
  const answering = (reply: unknown): EffectProvider => ({ call: () => reply });
  expect(await call(contract, answering({ value: good }), "read", good)).toBeUndefined();
  expect(await call(contract, answering({ error: { name: "not-found", data: good } }), "read", good)).toBeUndefined();
  for (const bad of [{}, { sessionId: "" }, { sessionId: "x".repeat(129) }, { sessionId: 1 }, { sessionId: "s", more: 1 }, "s-1"]) {
    expect(await call(contract, answering({ value: good }), "read", bad)).toBe("INVALID_INPUT");
    expect(await call(contract, answering({ value: bad }), "read", good)).toBe("INVALID_RESULT");
    expect(await call(contract, answering({ error: { name: "not-found", data: bad } }), "read", good)).toBe("INVALID_RESULT");
  }
});

it("5: changing any descriptor value makes the descriptors incompatible, and is equivocation only of one that claims both", async () => {
  const original = await readContract(SESSION_STORE);
  const definitions = sessionStoreDescriptor["$defs"] as Record<string, object>;
  const changed = await variant({ $defs: { ...definitions, Session: { ...definitions["Session"], description: "A session." } } });
  expect(changed.digest).not.toBe(original.digest);
  expect(await call(original, { call: () => ({ value: { sessionId: "s" } }) }, "read", { sessionId: "s" }, changed)).toBe("UNAVAILABLE");
  const apart = matchClaims(original, [offer(original, { authority: "a" }), offer(changed, { authority: "b" })]);
  expect(apart).toEqual({ match: [0], equivocations: [] });
  const both = matchClaims(original, [offer(original), offer(changed)]);
  expect(both.match).toEqual([]);
  expect(both.equivocations).toMatchObject([{ authority: "publisher", id: original.id, version: "1.0.0" }]);
});

it("6: versions 1 and 3 do not satisfy exact version 2", async () => {
  const [one, two, three] = await Promise.all(["1.0.0", "2.0.0", "3.0.0"].map((version) => variant({ version })));
  if (one === undefined || two === undefined || three === undefined) throw new Error("unreachable");
  expect(matchClaims(two, [offer(one), offer(three)]).match).toEqual([]);
  expect(matchClaims(two, [offer(one), offer(two), offer(three)]).match).toEqual([1]);
  for (const other of [one, three])
    expect(await call(two, { call: () => ({ value: 1 }) }, "read", { sessionId: "s" }, other)).toBe("UNAVAILABLE");
});

it("7: independent TypeScript and Python implementations compute the same domain-separated full-descriptor digest", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flow-host-case-7-"));
  try {
    const path = join(folder, "descriptor.json");
    writeFileSync(path, JSON.stringify(sessionStoreDescriptor, null, 3));
    const digest = runPython(fileURLToPath(new URL("../conformance/digest.py", import.meta.url)), [path]).output.trim();
    expect(digest).toBe("sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98");
    expect((await readContract(SESSION_STORE)).digest).toBe(digest);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("8: another SHA-256-bearing object cannot substitute for the contract digest", async () => {
  const contract = await readContract(SESSION_STORE);
  const { id, version, digest } = contract;
  const hash = (...parts: readonly string[]): string => `sha256:${createHash("sha256").update(parts.join("")).digest("hex")}`;
  const canonical = canonicalJson1(sessionStoreDescriptor as Json1Value);
  expect(hash("FLOW-Capability-Contract/1\0", canonical)).toBe(digest);
  const others = [
    hash(canonical),
    hash(SESSION_STORE),
    hash("FLOW-Capability-Contract/1", canonical),
    hash("FLOW-Package/1\0", canonical),
    digest.slice("sha256:".length),
    digest.toUpperCase(),
    digest.replace("sha256:", "sha512:"),
  ];
  for (const other of others) expect(matchClaims(contract, [offer({ id, version, digest: other })]).match).toEqual([]);
  expect(matchClaims(contract, [offer({ id, version, digest })]).match).toEqual([0]);
});

it("9: a consumer resolves its exact descriptor offline, and a trusted claim matches the same exact triple", async () => {
  const denied = vi.fn(() => {
    throw new Error("no network");
  });
  vi.stubGlobal("fetch", denied);
  const { uses } = await packageOf("uses: {sessions: {contract: ./contracts/session-store.capability.json}}", {
    "contracts/session-store.capability.json": SESSION_STORE,
  });
  const contract = uses["sessions"]?.contract;
  if (contract === undefined) throw new Error("no contract");
  const { id, version, digest } = contract;
  const { effects } = bindSlots(uses, [offer({ id, version, digest })]);
  const { result } = await createContractCalls({ effects }).handle("effect/call", {
    operationId: "op",
    slot: "sessions",
    method: "read",
    input: { sessionId: "s" },
  });
  expect(result).toEqual({ value: { sessionId: "s" } });
  expect(denied).not.toHaveBeenCalled();
});

it("10: an untrusted conflicting claimant cannot quarantine an exact trusted match", async () => {
  const contract = await readContract(SESSION_STORE);
  const { id, version } = contract;
  const squatting = { authority: "squatter", trusted: false };
  const conflicting = offer({ id, version, digest: `sha256:${"0".repeat(64)}` }, squatting);
  expect(matchClaims(contract, [conflicting, offer(contract)]).match).toEqual([1]);
  // Not even by claiming both, nor by the same digest.
  const claims = [conflicting, offer(contract, squatting), offer(contract)];
  expect(matchClaims(contract, claims)).toMatchObject({ match: [2], equivocations: [{ authority: "squatter" }] });
});

it("11: descriptor validation occurs before provider execution", async () => {
  const reached = vi.fn(() => ({ value: 1 }));
  const bad = JSON.stringify({ ...sessionStoreDescriptor, version: "1.0" });
  await expect(packageOf("uses: {s: {contract: ./s.json}}", { "s.json": bad })).rejects.toMatchObject({
    code: "PACKAGE_DESCRIPTOR_INVALID",
  });
  await expect(readContract(bad)).rejects.toMatchObject({ code: "CONTRACT_VERSION_INVALID" });
  // Calls are made through a contract that was read, and through nothing else.
  const unread = { ...JSON.parse(bad), digest: `sha256:${"0".repeat(64)}` };
  expect(() => createContractCalls({ effects: { s: { contract: unread, offered: unread, provider: { call: reached } } } })).toThrow(
    expect.objectContaining({ code: "usage" }),
  );
  expect(reached).not.toHaveBeenCalled();
});
