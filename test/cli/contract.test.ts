import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessionStoreDescriptor } from "../../src/contracts/data.ts";
import { flowHost } from "./io.ts";

const DIGEST = "sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98";
const text = JSON.stringify(sessionStoreDescriptor);
const contract = (words: readonly string[], input = text) => flowHost(["contract", ...words], { input, cwd: folder });

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flow-host-contract-"));
  await writeFile(join(folder, "a.json"), text);
  await writeFile(join(folder, "b.json"), text.replace('"maxLength":128', '"maxLength":64'));
  await writeFile(join(folder, "v2.json"), text.replace('"version":"1.0.0"', '"version":"2.0.0"'));
});
afterAll(() => rm(folder, { recursive: true }));

describe("flow-host contract", () => {
  it("checks a descriptor", async () => {
    const { status, out } = await contract(["check", "-"]);
    expect(status).toBe(0);
    expect(out).toBe(`https://example.org/contracts/session-store 1.0.0\n${DIGEST}\nmethods: read\n`);
  });
  it("reports independent faults together, each with its place", async () => {
    const broken = text.replace('"1.0.0"', '"1.0"').replace('"read"', '"Read"');
    const { status, out, err } = await contract(["check", "-"], broken);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain("/version");
    expect(err).toContain("/methods");
    const json = await contract(["check", "-", "--json"], broken);
    expect((JSON.parse(json.err) as { errors: unknown[] }).errors).toHaveLength(2);
  });
  it("prints the digest of the specification's example", async () => {
    expect(await contract(["digest", "-"])).toEqual({ status: 0, out: `${DIGEST}\n`, err: "" });
  });
  it("compares descriptors, and says where a change needs a version", async () => {
    const changed = await contract(["diff", "a.json", "b.json"]);
    expect(changed.status).toBe(1);
    expect(changed.out).toContain(
      "- /$defs/ReadInput/properties/sessionId/maxLength: 128\n+ /$defs/ReadInput/properties/sessionId/maxLength: 64\n",
    );
    expect(changed.out).toContain("needs a new version");
    expect(await contract(["diff", "a.json", "a.json"])).toMatchObject({ status: 0, out: expect.stringContaining("equal") });
    expect(await contract(["diff", "a.json", "v2.json"])).toMatchObject({ status: 0, out: expect.stringContaining("two versions") });
    expect(JSON.parse((await contract(["diff", "a.json", "v2.json", "--json"])).out)).toEqual({
      relation: "other-version",
      changes: [{ at: "/version", before: "1.0.0", after: "2.0.0" }],
    });
  });
  it("judges inputs, outputs and error data, and counts the work", async () => {
    const words = ["validate", "-", "--method", "read"];
    expect(await contract([...words, "--input", '{"sessionId":"s-1"}'])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^valid, \d+ units of work\n$/),
    });
    const refused = await contract([...words, "--input", '{"sessionId":5}']);
    expect(refused).toMatchObject({ status: 1, err: expect.stringMatching(/\/sessionId.*INVALID_INPUT/) });
    expect(await contract([...words, "--error", "not-found", "{}"])).toMatchObject({
      status: 1,
      err: expect.stringContaining("INVALID_RESULT"),
    });
    expect(JSON.parse((await contract([...words, "--output", "[]", "--json"])).out)).toMatchObject({ valid: false });
  });
  it.each([
    [["validate", "-", "--input", "{}"]],
    [["validate", "-", "--method", "write", "--input", "{}"]],
    [["validate", "-", "--method", "read"]],
    [["validate", "-", "--method", "read", "--error", "lost", "{}"]],
    [["constructor", "-"]],
    [["check"]],
  ])("%j is misused", async (words) => expect(await contract(words)).toMatchObject({ status: 2 }));
  it("reads a package", async () => {
    const directory = join(folder, "package");
    await mkdir(join(directory, "contracts"), { recursive: true });
    await writeFile(
      join(directory, "FLOW.md"),
      "---\nname: reader\ndescription: Reads.\nuses:\n  sessions:\n    contract: ./contracts/s.json\n  own:\n    local: true\n---\nText\n",
    );
    await writeFile(join(directory, "contracts/s.json"), text);
    const { status, out } = await contract(["package", "package"]);
    expect(status).toBe(0);
    expect(out).toBe(`reader: Reads.\n  sessions: https://example.org/contracts/session-store 1.0.0 ${DIGEST}\n  own: local\n`);
    await rm(join(directory, "contracts/s.json"));
    expect(await contract(["package", "package"])).toMatchObject({ status: 1 });
  });
});
