import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/main.ts";
import { flowHost } from "./io.ts";

const demo = fileURLToPath(new URL("../../demo/", import.meta.url));
const TOOLS = join(demo, "tools.json");
const SOURCES = ["--root", join(demo, "flow/local"), "--repository", `github.com/acme/docs@1.0.0=${join(demo, "flow/docs")}`];
const POST = "ledger.flow.post";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flow-host-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("flow-host", () => {
  it("lists its commands, and helps with each", async () => {
    const { status, out } = await flowHost(["--help"]);
    expect(status).toBe(0);
    for (const name of Object.keys(COMMANDS)) {
      expect(out).toContain(name);
      const help = await flowHost([name, "--help"]);
      expect(help).toMatchObject({ status: 0, err: "" });
      expect(help.out).toContain(`Usage: flow-host ${name}`);
    }
  });
  it.each([[[]], [["nonsense"]], [["toString"]], [["tools", "--nonsense"]], [["fingerprint"]], [["check", TOOLS]], [["tools"]]])(
    "%j is misused: status 2",
    async (words) => {
      expect(await flowHost(words)).toMatchObject({ status: 2, out: "", err: expect.stringContaining("flow-host") });
    },
  );
});

describe("flow-host tools", () => {
  it("reads the demo's declarations into the output that is checked in", async () => {
    const { status, out } = await flowHost(["tools", ...SOURCES]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual(JSON.parse(await readFile(TOOLS, "utf8")));
  });
  it("selects Tools, and what they reach", async () => {
    const { out } = await flowHost(["tools", ...SOURCES, "--tool", POST]);
    const document = JSON.parse(out) as { tools: { tool: string }[]; types: Record<string, { name: string }> };
    expect(document.tools.map(({ tool }) => tool)).toEqual([POST]);
    expect(Object.values(document.types).map(({ name }) => name)).toEqual(["Posting", "LedgerError"]);
  });
  it("takes single files, and names them from the nearest flow.toml", async () => {
    const root = await mkdtemp(join(folder, "root-"));
    await writeFile(join(root, "flow.toml"), "");
    await writeFile(join(root, "a.flow"), "@tool flow f() -> Result<Int, Never>\n");
    const { out } = await flowHost(["tools", "a.flow"], { cwd: root });
    expect((JSON.parse(out) as { tools: { tool: string }[] }).tools[0]?.tool).toBe("a.flow.f");
  });
  it("reports every fault with its place and prints nothing else", async () => {
    const input = "type A { x: Missing }\n@tool flow f(a: A) -> Int\n";
    const { status, out, err } = await flowHost(["tools", "-"], { input });
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain("stdin.flow:1:13");
    expect(err).toContain("stdin.flow:2:23");
    expect(err).toContain("^^^^^^^");
  });
  it("reports faults as JSON", async () => {
    const { err } = await flowHost(["tools", "-", "--json"], { input: "type A { x: Missing }" });
    expect(JSON.parse(err)).toMatchObject({ code: "unknown-name", file: "stdin.flow", line: 1, column: 13 });
  });
  it("writes no file where it refuses", async () => {
    const empty = await mkdtemp(join(folder, "out-"));
    const output = join(empty, "tools.json");
    expect(await flowHost(["tools", "-", "-o", output], { input: "type" })).toMatchObject({ status: 1 });
    expect(await readdir(empty)).toEqual([]);
    expect(await flowHost(["tools", "-", "-o", output], { input: "" })).toMatchObject({ status: 0, out: "" });
    expect(await readdir(empty)).toEqual(["tools.json"]);
  });
  it.each([["docs=x"], ["docs@=x"], ["@1=x"], ["docs@1="]])("does not take --repository %s", async (word) => {
    expect(await flowHost(["tools", "--repository", word])).toMatchObject({ status: 2 });
  });
  it("says which file it cannot read", async () => {
    expect(await flowHost(["tools", "nowhere.flow"], { cwd: folder })).toMatchObject({
      status: 1,
      err: expect.stringContaining("nowhere.flow"),
    });
  });
});

describe("flow-host fingerprint", () => {
  it("prints a line for each Tool, or JSON", async () => {
    const { out } = await flowHost(["fingerprint", TOOLS]);
    expect(out.split("\n")).toHaveLength(4);
    expect(out).toMatch(/^sha256:[0-9a-f]{64} {2}github\.com\/acme\/docs@1\.0\.0\/catalog\.flow\.read$/m);
    const json = await flowHost(["fingerprint", TOOLS, "--json", "--tool", POST]);
    expect(JSON.parse(json.out)).toEqual({ [POST]: expect.stringMatching(/^sha256:/) });
  });
  it("refuses a tools output with the place", async () => {
    const broken = (await readFile(TOOLS, "utf8")).replace('"Text"', '"Txt"');
    const { status, err } = await flowHost(["fingerprint", "-", "--json"], { input: broken });
    expect(status).toBe(1);
    expect(JSON.parse(err)).toMatchObject({ code: "unknown-term", at: expect.stringMatching(/^\/(tools|types)/) });
  });
  it("names the Tools there are where it is asked for another", async () => {
    expect(await flowHost(["fingerprint", TOOLS, "--tool", "x.flow.y"])).toMatchObject({ status: 2, err: expect.stringContaining(POST) });
  });
});

describe("flow-host check", () => {
  const check = (type: string, value: string, ...more: string[]) => flowHost(["check", TOOLS, "--type", type, value, ...more]);
  it.each([
    ["Decimal", "1.50", "1.5\n"],
    ["document.Document", '{"title":"t","id":"i","body":"","more":1}', '{"body":"","id":"i","title":"t"}\n'],
    ["ledger.flow.LedgerError", '{"TooLarge":{"limit":1e2}}', '{"TooLarge":{"limit":100}}\n'],
    ["github.com/acme/docs/document.flow.Document", '{"title":"t","id":"i","body":""}', '{"body":"","id":"i","title":"t"}\n'],
    ['{"List":{"Option":"Int"}}', '["None",{"Some":12345678901234567890}]', '["None",{"Some":12345678901234567890}]\n'],
  ])("%s: %s", async (type, value, out) => expect(await check(type, value)).toEqual({ status: 0, out, err: "" }));
  it("shows the place in the text", async () => {
    const { status, err } = await check("document.Document", '{ "id": "x",\n  "title": 5, "body": "" }');
    expect(status).toBe(1);
    expect(err).toContain("[kind]");
    expect(err).toContain('2 |   "title": 5, "body": "" }\n               ^');
  });
  it("shows the place of a fault of the text", async () => {
    expect((await check("Int", "[1,]")).err).toContain("1 | [1,]\n       ^");
  });
  it("is strict where asked", async () => {
    const value = '{"body":"","id":"i","title":"t","x":1}';
    expect(await check("document.Document", value, "--strict", "--json")).toMatchObject({
      status: 1,
      err: expect.stringContaining('"undeclared-member"'),
    });
  });
  it.each(["Nothing", "{", '{"List":"Nothing"}'])("does not know the type %s", async (type) => {
    expect((await check(type, "1")).status).toBeGreaterThan(0);
  });
  it("reads the value from a file or standard input", async () => {
    const file = join(folder, "value.json");
    await writeFile(file, " 5 ");
    expect(await check("Int", `@${file}`)).toMatchObject({ out: "5\n" });
    expect(await flowHost(["check", TOOLS, "--type", "Int", "-"], { input: "6" })).toMatchObject({ out: "6\n" });
  });
});
