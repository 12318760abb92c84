import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateToolkit } from "../../src/toolkit/generate/generate.ts";
import { DOCS, documentOf } from "../toolkit/programs.ts";
import { flowHost } from "./io.ts";

const FIND = "github.com/acme/docs@1.2.0/search.flow.find";
const golden = fileURLToPath(new URL("../toolkit/generated/docs.ts", import.meta.url));

const text = await documentOf(DOCS);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flow-host-toolkit-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A folder of its own for each test, with the document in it. */
async function place(document = text): Promise<string> {
  const cwd = await mkdtemp(join(folder, "at-"));
  await writeFile(join(cwd, "tools.json"), document);
  return cwd;
}

describe("flow-host toolkit", () => {
  it("writes what is generated to a file, and nothing else anywhere", async () => {
    const cwd = await place();
    expect(await flowHost(["toolkit", "tools.json", "-o", "generated.ts"], { cwd })).toEqual({ status: 0, out: "", err: "" });
    expect((await readdir(cwd)).sort()).toEqual(["generated.ts", "tools.json"]);
    expect(await readFile(join(cwd, "generated.ts"), "utf8")).toBe(await readFile(golden, "utf8"));
  });

  it("prints it without a file, and reads standard input", async () => {
    const printed = await flowHost(["toolkit", "-"], { input: text });
    expect(printed).toEqual({ status: 0, out: await generateToolkit(text), err: "" });
    expect((await flowHost(["toolkit", "-", "--tool", FIND], { input: text })).out).toBe(await generateToolkit(text, { select: [FIND] }));
  });

  it("takes some Tools, with what these reach", async () => {
    const cwd = await place();
    const { status } = await flowHost(["toolkit", "tools.json", "--tool", FIND, "--output", "find.ts"], { cwd });
    const source = await readFile(join(cwd, "find.ts"), "utf8");
    expect(status).toBe(0);
    expect(source).toContain("interface FindArgs");
    expect(source).not.toContain("CatalogError");
  });

  it("replaces a file whole", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "generated.ts"), `// ${"x".repeat(100_000)}`);
    await flowHost(["toolkit", "tools.json", "-o", "generated.ts"], { cwd });
    expect(await readFile(join(cwd, "generated.ts"), "utf8")).toBe(await generateToolkit(text));
  });

  it.each([
    ["no JSON", "{", "syntax"],
    ["no tools output", "[]", "shape"],
    ["a type part that is missing", text.replace('"err":{"Named":{"args":[],"declaration":"t2"}},', ""), "member"],
    ["a term that is none", text.replace('"type":"Text"', '"type":"Txt"'), "unknown-term"],
    ["another fingerprint", text.replace("sha256:f9", "sha256:e9"), "mismatch"],
    ["another major version", text.replace('"data":"0.1"', '"data":"1.0"'), "version"],
  ])("writes no file at all for %s, and leaves the one that is there", async (_, document, code) => {
    const cwd = await place(document);
    const ran = await flowHost(["toolkit", "tools.json", "-o", "generated.ts", "--json"], { cwd });
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(JSON.parse(ran.err)).toMatchObject({ code });
    expect(await readdir(cwd)).toEqual(["tools.json"]);
    await writeFile(join(cwd, "generated.ts"), "// as it was\n");
    await flowHost(["toolkit", "tools.json", "-o", "generated.ts"], { cwd });
    expect(await readFile(join(cwd, "generated.ts"), "utf8")).toBe("// as it was\n");
  });

  it("writes no file for a Tool that is not listed, and names those that are", async () => {
    const cwd = await place();
    const ran = await flowHost(["toolkit", "tools.json", "-o", "generated.ts", "--tool", "x.flow.y"], { cwd });
    expect(ran).toMatchObject({ status: 2, out: "", err: expect.stringContaining(FIND) });
    expect(await readdir(cwd)).toEqual(["tools.json"]);
  });

  it("says which file it cannot read or write", async () => {
    const cwd = await place();
    expect(await flowHost(["toolkit", "none.json"], { cwd })).toMatchObject({ status: 1, err: expect.stringContaining("none.json") });
    const ran = await flowHost(["toolkit", "tools.json", "-o", "no/such/folder.ts"], { cwd });
    expect(ran).toMatchObject({ status: 1, err: expect.stringContaining("no/such/folder.ts") });
    expect(await readdir(cwd)).toEqual(["tools.json"]);
  });

  it.each([[["toolkit"]], [["toolkit", "a", "b"]], [["toolkit", "a", "--nonsense"]]])("%j is misused: status 2", async (words) => {
    expect(await flowHost(words)).toMatchObject({ status: 2, out: "" });
  });
});
