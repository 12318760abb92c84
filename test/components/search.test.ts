/** The search component as it is built: what it answers, what it refuses, that it needs nothing and that its memory stays flat. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildComponents } from "../../wasm-tools/build.mjs";

const TOOL = "github.com/acme/docs@1.0.0/search.flow.find";
const FINGERPRINT = `sha256:${"0123456789abcdef".repeat(4)}`;
const SIGNATURE =
  '{"err":{"$defs":{"github.com/acme/docs/search.flow.SearchError":{"description":"Why not: \\"é\\" 🔏"}}},"generic":[],"ok":{},"params":[["query",{"type":"string"}]]}';
const OTHER = { tool: "github.com/acme/docs@1.0.0/catalog.flow.read", fingerprint: `sha256:${"0".repeat(64)}`, signature: "{}" };

interface Call {
  run: string;
  call: string;
  tool: string;
  args: string;
  schema?: string;
  types?: string;
}
interface Outcome {
  tag: "ok" | "failed" | "not-run" | "unknown";
  val: string;
}
interface Tool {
  describe(data: string): { data: string; served: { tool: string; fingerprint: string; signature: string }[] };
  answer(call: Call): Outcome;
}
type Instantiate = (
  getCoreModule: (path: string) => WebAssembly.Module | Promise<WebAssembly.Module>,
  imports: object,
  instantiateCore?: (module: WebAssembly.Module, imports: WebAssembly.Imports) => Promise<WebAssembly.Instance>,
) => Promise<{ tool: Tool; "flow:tool/tool@0.1.0": Tool }>;

let outDir: string;
let glue: string;
let core: WebAssembly.Module;
let instantiate: Instantiate;
let tool: Tool;
let memory: WebAssembly.Memory;

const build = (fingerprint = FINGERPRINT) =>
  buildComponents({ tools: [OTHER, { tool: TOOL, fingerprint, signature: SIGNATURE }], outDir, only: ["search"] });
const built = (file: string) => join(outDir, "search", file);

beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), "flow-components-"));
  await build();
  glue = await readFile(built("search.js"), "utf8");
  core = await WebAssembly.compile(await readFile(built("search.core.wasm")));
  ({ instantiate } = (await import(/* @vite-ignore */ pathToFileURL(built("search.js")).href)) as { instantiate: Instantiate });
  ({ tool } = await instantiate(
    () => core,
    {},
    async (module, imports) => {
      const instance = await WebAssembly.instantiate(module, imports);
      memory = instance.exports["memory"] as WebAssembly.Memory;
      return instance;
    },
  ));
}, 60_000);

afterAll(() => rm(outDir, { recursive: true, force: true }));

/** Answers a call with this text as its arguments. */
const answer = (args: string, more: Partial<Call> = {}): Outcome => tool.answer({ run: "r", call: "1", tool: TOOL, args, ...more });
/** Answers a call for this query. */
const find = (query: string): Outcome => answer(JSON.stringify({ query }));
/** The ids of what was found for this query. */
function idsFor(query: string): string[] {
  const { tag, val } = find(query);
  expect(tag).toBe("ok");
  return (JSON.parse(val) as { id: string }[]).map(({ id }) => id);
}

describe("describe", () => {
  it("serves the declaration it was built for, in the constants it was given", () => {
    expect(tool.describe("0.1")).toEqual({
      data: "0.1",
      served: [{ tool: TOOL, fingerprint: FINGERPRINT, signature: SIGNATURE }],
    });
  });

  it("answers the same whatever the host's version, and again after calls", () => {
    const first = tool.describe("0.1");
    find("tool");
    expect(tool.describe("7.0")).toEqual(first);
  });
});

describe("a search", () => {
  it("answers with exact canonical text", () => {
    expect(find("forge")).toEqual({
      tag: "ok",
      val: '[{"body":"A value of an opaque type is minted by its own module after a check, and by nothing else. No decoder can build one, so no Tool\'s reply can forge an approval 🔏.","id":"opaque","title":"Opaque types"}]',
    });
  });

  it("escapes what must be escaped, and nothing else", () => {
    const { val } = find("escapes");
    expect(val).toContain('no escapes but \\\\\\", \\\\\\\\ and those of control characters');
    expect(JSON.stringify(JSON.parse(val))).toBe(val);
  });

  it("sorts members, which JSON.stringify keeps as they come", () => {
    for (const query of ["a", "the"]) {
      const { val } = find(query);
      for (const document of JSON.parse(val) as object[]) expect(Object.keys(document)).toEqual(["body", "id", "title"]);
      expect(JSON.stringify(JSON.parse(val))).toBe(val);
    }
  });

  it("finds words by their beginnings, in title and body, in any case", () => {
    expect(idsFor("FINGERprint")).toEqual(["fingerprint"]);
    expect(idsFor("sandbox")).toEqual(["component"]);
    expect(idsFor("andbox")).toEqual([]);
    expect(idsFor("binar")).toEqual(["number"]);
  });

  it("wants every word", () => {
    expect(idsFor("history resumes")).toEqual(["run"]);
    expect(idsFor("history  ,resumes?!")).toEqual(["run"]);
    expect(idsFor("history sandbox")).toEqual([]);
    expect(find("history sandbox").val).toBe("[]");
  });

  it("keeps the order of the corpus", () => {
    expect(idsFor("tool")).toEqual(["tool", "outcome", "opaque", "component"]);
  });

  it("folds letters beyond ASCII and searches for any code point", () => {
    expect(idsFor("Π")).toEqual(["number"]);
    expect(idsFor("À DEMAIN")).toEqual(["run"]);
    expect(idsFor("🔏")).toEqual(["opaque"]);
    expect(idsFor("🔐")).toEqual([]);
  });
});

describe("BadQuery", () => {
  it.each([
    ["", '{"BadQuery":"the query is empty"}'],
    [" ", '{"BadQuery":"no word to look for in:  "}'],
    ["?!", '{"BadQuery":"no word to look for in: ?!"}'],
    ["\u3000\u00a0—", '{"BadQuery":"no word to look for in: \u3000\u00a0—"}'],
    ['"\\/\b\f\n\r\t\0\x1f\x7f', '{"BadQuery":"no word to look for in: \\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f"}'],
  ])("is what %j gets", (query, val) => {
    expect(find(query)).toEqual({ tag: "failed", val });
  });
});

describe("reading the arguments", () => {
  it("takes every escape for what it stands for", () => {
    // The query comes back in the error, since it has no word.
    expect(answer('{"query":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u002e\\u00B7\\u2014"}')).toEqual(find('"\\/\b\f\n\r\t.·—'));
    expect(answer('{"\\u0071uery":"\\uD83D\\uDD0f"}')).toEqual(find("🔏"));
    expect(answer('{"query":"\\u0066orge"}')).toEqual(find("forge"));
  });

  it("takes whitespace between the tokens", () => {
    expect(answer(' \t\r\n{ "query"\n:\t"forge" }\r\n')).toEqual(find("forge"));
  });

  it.each([
    ["", "args is not a JSON object"],
    ["null", "args is not a JSON object"],
    ['["forge"]', "args is not a JSON object"],
    ['\ufeff{"query":"forge"}', "args is not a JSON object"],
    ["{}", "args has no member query"],
    ['{"Query":"forge"}', "args has a member other than query"],
    ['{"query\\u0000":"forge"}', "args has a member other than query"],
    ['{"query":"forge","limit":3}', "args has a member other than query"],
    ['{"query":"forge","query":"forge"}', "args has the member query twice"],
    ['{"query":"forge","qu\\u0065ry":"forge"}', "args has the member query twice"],
    ['{"query":3}', "query is not a string"],
    ['{"query":null}', "query is not a string"],
    ['{"query":{"Some":"forge"}}', "query is not a string"],
    ['{"query":"\\ud83d"}', "query is not a JSON string of Unicode text"],
    ['{"query":"\\udd0f\\ud83d"}', "query is not a JSON string of Unicode text"],
    ['{"query":"\\ud83d\\u0041"}', "query is not a JSON string of Unicode text"],
    ['{"query":"\\x41"}', "query is not a JSON string of Unicode text"],
    ['{"query":"\\u00g0"}', "query is not a JSON string of Unicode text"],
    ['{"query":"a\nb"}', "query is not a JSON string of Unicode text"],
    ['{"query":"a', "query is not a JSON string of Unicode text"],
    ['{"query":"a\\', "query is not a JSON string of Unicode text"],
    ['{"query":"a\\u00', "query is not a JSON string of Unicode text"],
    ['{"query"', "args is not JSON text"],
    ['{"query":"a"', "args is not JSON text"],
    ['{"query":"a",}', "args is not JSON text"],
    ['{"query":"a"} x', "args is not JSON text"],
    ["{query:1}", "args is not JSON text"],
    ["{", "args is not JSON text"],
  ])("refuses %j before anything runs", (args, val) => {
    expect(answer(args)).toEqual({ tag: "not-run", val });
  });
});

describe("the Tool's own limit", () => {
  const tooLong = { tag: "not-run", val: "query is longer than 256 bytes, the limit of this Tool" };

  it("counts UTF-8 bytes, whatever the spelling", () => {
    expect(find("x".repeat(256)).tag).toBe("ok");
    expect(find("x".repeat(257))).toEqual(tooLong);
    expect(find("é".repeat(128)).tag).toBe("ok");
    expect(find(`${"é".repeat(128)}x`)).toEqual(tooLong);
    expect(find("🔏".repeat(64)).tag).toBe("ok");
    expect(find("🔏".repeat(65))).toEqual(tooLong);
    expect(answer(`{"query":"${"\\u0078".repeat(256)}"}`).tag).toBe("ok");
    expect(answer(`{"query":"${"\\ud83d\\udd0f".repeat(65)}"}`)).toEqual(tooLong);
  });

  it("refuses even the largest call a host sends, without a trap", async () => {
    const fresh = await instantiate(() => core, {});
    const args = `{"query":"${"x".repeat(16_777_216 - 12)}"}`;
    expect(fresh.tool.answer({ run: "r", call: "1", tool: TOOL, args })).toEqual(tooLong);
    expect(fresh.tool.answer({ run: "r", call: "2", tool: TOOL, args: '{"query":"forge"}' })).toEqual(find("forge"));
  });
});

describe("which declaration is meant", () => {
  it("does not depend on the version", () => {
    for (const version of ["@2.0.0", "@1.0.0-rc.1", "@x", ""]) {
      expect(answer('{"query":"forge"}', { tool: `github.com/acme/docs${version}/search.flow.find` })).toEqual(find("forge"));
    }
  });

  it.each([
    "",
    "search.flow.find",
    "github.com/acme/docs@1.0.0/catalog.flow.read",
    "github.com/acme/docs@1.0.0/search.flow.findAll",
    "github.com/acme/docs@1.0.0/search.flow.fin",
    "github.com/acme/docs@1.0.0/x/search.flow.find",
    "github.com/acme/docs@1.0.0",
    "github.com/acme/docs2@1.0.0/search.flow.find",
    "github.com/acmé/docs@1.0.0/search.flow.find",
  ])("refuses %j", (other) => {
    expect(answer('{"query":"forge"}', { tool: other })).toEqual({ tag: "not-run", val: `this component does not serve ${other}` });
  });

  it("refuses type views, which only a generic call has", () => {
    const val = "schema and types belong to generic calls, and this Tool is not generic";
    expect(answer('{"query":"forge"}', { schema: "{}" })).toEqual({ tag: "not-run", val });
    expect(answer('{"query":"forge"}', { types: "{}" })).toEqual({ tag: "not-run", val });
  });
});

describe("memory", () => {
  it("is flat over 20,000 calls of every outcome", () => {
    const before = memory.buffer.byteLength;
    const calls = ["a", "", "x".repeat(300), "forge"].map((query) => JSON.stringify({ query }));
    for (let i = 0; i < 20_000; i++) answer(calls[i % calls.length] as string);
    for (let i = 0; i < 1_000; i++) tool.describe("0.1");
    expect(memory.buffer.byteLength).toBe(before);
    expect(before).toBe(65_536);
  });

  it("has a maximum", () => {
    expect(() => memory.grow(512)).toThrow(RangeError);
  });
});

describe("what is emitted", () => {
  it("imports nothing", () => {
    expect(WebAssembly.Module.imports(core)).toEqual([]);
  });

  it("exports the interface under both its names", async () => {
    const instance = await instantiate(async () => core, {});
    expect(instance["flow:tool/tool@0.1.0"]).toBe(instance.tool);
  });

  it("asks for its core module by file name", async () => {
    const asked: string[] = [];
    await instantiate((path) => {
      asked.push(path);
      return core;
    }, {});
    expect(asked).toEqual(["search.core.wasm"]);
  });

  it("touches no process, loads nothing, and builds no code from strings", () => {
    // Not every `import`: the word also stands in an error message.
    const unwanted =
      /\bprocess\b|\beval\b|\bnew Function\b|\bnode:|\brequire\(|(?:^|[;}])import\b|\bimport\s*[({*.]|\bfetch\b|\bBuffer\b|\b_debugLog\b/;
    expect(unwanted.exec(glue)?.[0]).toBeUndefined();
  });

  it("decodes text exactly, in ASCII source", () => {
    expect(glue.match(/new TextDecoder\([^)]*\)/g)).toEqual(['new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0})']);
    expect(glue).toMatch(/^[\x00-\x7f]*$/);
  });

  it("is a component, with a few kilobytes in its core module", async () => {
    const component = await readFile(built("search.component.wasm"));
    // The magic number, and the version and layer that tell a component from a core module.
    expect([...component.subarray(0, 8)]).toEqual([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]);
    expect((await stat(built("search.core.wasm"))).size).toBeLessThan(16_384);
  });
});

describe("building", () => {
  it("is skipped while nothing has changed, and done again for other constants or lost output", async () => {
    expect((await build())[0]).toMatchObject({ name: "search", built: false });
    await rm(built("search.core.wasm"));
    expect((await build())[0]).toMatchObject({ built: true });

    const before = await readFile(built("search.core.wasm"));
    const fingerprint = `sha256:${"f".repeat(64)}`;
    expect((await build(fingerprint))[0]).toMatchObject({ built: true });
    const after = await readFile(built("search.core.wasm"));
    expect(after.equals(before)).toBe(false);
    const other = await instantiate(async () => WebAssembly.compile(after), {});
    expect(other.tool.describe("0.1").served[0]?.fingerprint).toBe(fingerprint);
  }, 60_000);

  it("names the component whose declaration is missing or ambiguous", async () => {
    await expect(buildComponents({ tools: [OTHER], outDir, only: ["search"] })).rejects.toThrow(
      `component search: no declaration of github.com/acme/docs/search.flow.find among: ${OTHER.tool}`,
    );
    const twice = ["1.0.0", "2.0.0"].map((version) => ({ ...OTHER, tool: `github.com/acme/docs@${version}/search.flow.find` }));
    await expect(buildComponents({ tools: twice, outDir, only: ["search"] })).rejects.toThrow(
      "component search: more than one declaration",
    );
  });
});
