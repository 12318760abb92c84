/** Which flow.toml speaks for a declaration (*Binding*). */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHost } from "../../src/host/host.ts";
import { configuredBy } from "../../src/node/manifests.ts";
import type { ToolEntry } from "../../src/signature/tools.ts";
import { ACT, contractTools, SAME } from "../contract/tools.ts";

let root: string;
let act: ToolEntry;
let same: ToolEntry;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "flow-host-manifests-"));
  const files: Readonly<Record<string, string>> = {
    "flow.toml": '[tools."far.flow"]\ncommand = "far"\n[tools."inner/near.flow"]\ncommand = "not this"',
    "inner/flow.toml":
      '[tools."near.flow"]\ncommand = "near"\n[tools."deep/er/down.flow"]\ncommand = "near"\n[tools."mcp.flow"]\nmcp = "server"',
    "broken/flow.toml": '[tools."x.flow"]\n',
    "repository/flow.toml": '[tools."docs/search.flow"]\ncommand = "search"',
    "repository/docs/flow.toml": '[tools."search.flow"]\ncommand = "not this"',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  [act, same] = (await contractTools([ACT, SAME])).tools as [ToolEntry, ToolEntry];
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** The title of what is configured for a declaration of another identity. */
async function titleOf(tool: string, base: string | undefined, configured = configuredBy()): Promise<string | undefined> {
  return (await configured({ ...act, tool }, base))?.title;
}

describe("a local declaration", () => {
  it.each([
    ["near.flow.act", "inner", "process near"],
    ["inner/near.flow.act", "", "process near"],
    ["deep/er/down.flow.act", "inner", "process near"],
    ["er/down.flow.act", "inner/deep", "process near"],
    ["far.flow.act", "", "process far"],
    ["mcp.flow.act", "inner", "mcp server"],
  ])("%s below %j goes by the nearest manifest", async (tool, base, title) => {
    expect(await titleOf(tool, join(root, base))).toBe(title);
  });

  it("is unbound where the nearest manifest has no table for its file, whatever those above have", async () => {
    expect(await titleOf("inner/far.flow.act", root)).toBeUndefined();
  });

  it("is unbound where its path leads out of its root, whatever manifest is there", async () => {
    const inner = join(root, "inner");
    for (const file of ["../inner/near.flow", "./near.flow", "deep/../near.flow", "deep//er/down.flow", join(inner, "near.flow")])
      expect(await titleOf(`${file}.act`, inner), file).toBeUndefined();
    expect(await titleOf("near.flow.act", inner)).toBe("process near");
  });

  it("has no binding where nobody says where its source lies", async () => {
    expect(await titleOf("far.flow.act", undefined)).toBeUndefined();
  });

  it("is refused with the manifest's own fault", async () => {
    await expect(titleOf("x.flow.act", join(root, "broken"))).rejects.toMatchObject({ code: "no-way", at: { line: 1, column: 8 } });
    // Also where the fault is in another table: a manifest is right as a whole.
    await expect(titleOf("y.flow.act", join(root, "broken"))).rejects.toMatchObject({ code: "no-way" });
  });

  it("a run is refused with it, and says which Tool it is about", async () => {
    const tools = await contractTools([ACT]);
    const host = createHost({ configured: configuredBy() });
    const start = host.start({ program: { tools, run: () => {} }, base: join(root, "broken") });
    await expect(start).rejects.toMatchObject({ code: "refused", errors: [{ code: "no-way", tool: ACT }] });
    await expect(host.start({ program: { tools, run: () => {} } })).rejects.toMatchObject({ errors: [{ code: "unbound" }] });
  });
});

describe("a repository's declaration", () => {
  const tool = "github.com/acme/tools@1.0.0/docs/search.flow.find";

  it("goes by the manifest at the root of its repository, of its version first", async () => {
    const repositories = { "github.com/acme/tools": join(root, "repository") };
    expect(await titleOf(tool, root, configuredBy({ repositories }))).toBe("process search");
    const exact = { ...repositories, "github.com/acme/tools@1.0.0": join(root, "inner") };
    expect(await titleOf(tool, root, configuredBy({ repositories: exact }))).toBeUndefined();
  });

  it("is unbound where nobody says where its repository lies", async () => {
    expect(await titleOf(tool, root)).toBeUndefined();
  });
});

it("declarations with the same command in the same directory share one process", async () => {
  const configured = configuredBy();
  const near = await configured({ ...act, tool: "near.flow.act" }, join(root, "inner"));
  expect(await configured({ ...act, tool: "deep/er/down.flow.other" }, join(root, "inner"))).toBe(near);
  expect(await configured({ ...act, tool: "far.flow.act" }, root)).not.toBe(near);
});

it("R40: a generic declaration whose table names an MCP server is a configuration error", async () => {
  const configured = configuredBy();
  await expect(configured({ ...same, tool: "mcp.flow.same" }, join(root, "inner"))).rejects.toMatchObject({ code: "generic-mcp" });
});
