import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describedSignature, fingerprintOf, signatureText } from "../../src/signature/signature.ts";
import { toolsText } from "../../src/signature/tools.ts";
import { specOf } from "../host/support.ts";
import { flowHost, type World } from "./io.ts";

const DOUBLE = "math.flow.double";

/** A Tool process as one writes it by hand: it doubles, and at 13 it dies. */
const child = (served: string) => `
let held = "";
const print = (text) => process.stdout.write(text + "\\n");
process.stdin.on("data", (chunk) => {
  const lines = (held + chunk).split("\\n");
  held = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === "describe") print('{"id":' + id + ',"jsonrpc":"2.0","result":{"data":"0.1","tools":[${served}]}}');
    if (method === "call") {
      if (params.args.n === 13) process.exit(1);
      if (params.args.n === 14) process.stderr.write("\\u001b[2Jcleared\\n");
      print(JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { run: params.run, call: params.call, outcome: { Ok: params.args.n * 2 } } }));
    }
  }
});
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flow-host-run-"));
  const spec = specOf({ params: { n: "Int" } });
  const served = `{"fingerprint":"${await fingerprintOf(spec)}","signature":${signatureText(describedSignature(spec))},"tool":"${DOUBLE}"}`;
  await writeFile(join(folder, "tool.cjs"), child(served));
  await writeFile(join(folder, "tools.json"), await toolsText([{ tool: DOUBLE, doc: null, spec }]));
  await writeFile(join(folder, "flow.toml"), `[tools."math.flow"]\ncommand = "'${process.execPath}' tool.cjs"\n`);
  await writeFile(
    join(folder, "program.mjs"),
    `import { readFileSync } from "node:fs";
export default {
  tools: readFileSync(new URL("./tools.json", import.meta.url), "utf8"),
  input: [{ name: "numbers", type: { List: "Int" } }],
  async run(run, { numbers }) {
    let sum = 0n;
    for (const n of numbers) {
      const outcome = await run.call("${DOUBLE}", { n });
      if (outcome.tag === "Ok") sum += outcome.value;
    }
    return sum;
  },
};
`,
  );
  await writeFile(join(folder, "nothing.mjs"), "export const program = 1;\n");
});
afterAll(() => rm(folder, { recursive: true }));

const run = (words: readonly string[], world: World = {}) => flowHost(["run", ...words], { cwd: folder, ...world });
const input = (text: string) => ["--input", text];

describe("flow-host run", () => {
  it("starts what flow.toml names and prints the transcript", async () => {
    const { status, out, err } = await run(["program.mjs", "--yes", ...input('{"numbers":[1,2]}')]);
    expect(err).toBe("");
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^-> 1 math\.flow\.double \{"n":1\} {2}\[process .*tool\.cjs\]$/),
      '<- 1 Ok {"Ok":2}',
      expect.stringMatching(/^-> 2 /),
      '<- 2 Ok {"Ok":4}',
      "result: 6n",
      "",
    ]);
    expect(status).toBe(0);
  });
  it("prints JSON that can be read line by line", async () => {
    const { out } = await run(["program.mjs", "--yes", "--json", ...input('{"numbers":[1]}')]);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { call: { args: { n: 1 }, call: "1", tool: DOUBLE } },
      { outcome: { call: "1", outcome: { Ok: 2 } } },
      { result: "2n" },
    ]);
  });
  it("says what happened to a call whose process died, and goes on with the next", async () => {
    const { status, out, err } = await run(["program.mjs", "--yes", ...input('{"numbers":[13,4]}')]);
    expect(out).toContain("<- 1 Unknown");
    expect(out).toContain('<- 2 Ok {"Ok":8}');
    expect(err).toContain("was started again");
    expect(status).toBe(0);
  });
  it("R47: asks before the first start, once for each command", async () => {
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return true;
    };
    expect(await run(["program.mjs", ...input('{"numbers":[1]}')], { ask })).toMatchObject({ status: 0 });
    expect(asked).toEqual([expect.stringContaining("tool.cjs")]);
    const refused = await run(["program.mjs", ...input('{"numbers":[1]}')], { ask: async () => false });
    expect(refused).toMatchObject({ status: 1, out: "", err: expect.stringContaining("[policy]") });
  });
  it("R47: the question shows what would be started, whatever characters its command has", async () => {
    const hostile = join(folder, "hostile");
    await mkdir(hostile);
    await copyFile(join(folder, "program.mjs"), join(hostile, "program.mjs"));
    await copyFile(join(folder, "tools.json"), join(hostile, "tools.json"));
    await writeFile(join(hostile, "flow.toml"), '[tools."math.flow"]\ncommand = "rm-all\\r\\u001b[2K\\u202Etrusted\\n"\n');
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return false;
    };
    expect(await flowHost(["run", "program.mjs", "--input", '{"numbers":[1]}'], { cwd: hostile, ask })).toMatchObject({ status: 1 });
    expect(asked).toEqual([`Start process rm-all\\u000d\\u001b[2K\\u202etrusted\\u000a for ${DOUBLE}?`]);
  });
  it("what a Tool writes to its log moves no cursor", async () => {
    const { out, err } = await run(["program.mjs", "--yes", ...input('{"numbers":[14]}')]);
    expect(err).toBe("\\u001b[2Jcleared\n");
    expect(out).toContain('<- 1 Ok {"Ok":28}');
  });
  it("R47: refuses where nobody can be asked", async () => {
    expect(await run(["program.mjs", ...input('{"numbers":[1]}')])).toMatchObject({ status: 1, err: expect.stringContaining("--yes") });
  });
  it.each([
    ['{"numbers":[1.5]}', "not-whole"],
    ['{"numbers":[1],"more":1}', "undeclared-member"],
    ["{}", "missing-member"],
    ["{", "syntax"],
  ])("refuses the input %s", async (text, code) => {
    expect(await run(["program.mjs", "--yes", ...input(text)])).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringContaining(`[${code}]`),
    });
  });
  it("records, replays, and goes on where a run ended", async () => {
    const words = ["program.mjs", "--yes", "--history", "history.jsonl"];
    expect(await run([...words, ...input('{"numbers":[1,2,3]}')])).toMatchObject({
      status: 0,
      out: expect.stringContaining("result: 12n"),
    });
    expect(await run([...words, "--replay"])).toMatchObject({ status: 0, out: "the same: 12n\n" });
    // As a crash leaves it: call 3 is out, and the line behind it was cut short.
    const text = await readFile(join(folder, "history.jsonl"), "utf8");
    const cut = text.indexOf('{"outcome":{"call":"3"');
    await writeFile(join(folder, "history.jsonl"), text.slice(0, cut + 10));
    expect(await run([...words, "--replay"])).toMatchObject({ status: 0, out: expect.stringContaining("had not ended") });
    const resumed = await run([...words, "--resume"]);
    expect(resumed).toMatchObject({ status: 0, out: expect.stringContaining("result: 12n") });
    expect(resumed.out).toContain("-> 3 ");
    expect(resumed.out).not.toContain("-> 2 ");
    expect(await run([...words, "--resume"])).toMatchObject({ status: 1, err: expect.stringContaining("[ended]") });
  });
  it("says where a manifest is wrong", async () => {
    const broken = await mkdtemp(join(folder, "broken-"));
    await writeFile(join(broken, "flow.toml"), '[tools."math.flow"]\ncommand = "x"\nmcp = "y"\n');
    const { status, err } = await run(["program.mjs", "--yes", "--root", broken, ...input('{"numbers":[1]}')]);
    expect(status).toBe(1);
    expect(err).toMatch(/flow\.toml:\d+:\d+: /);
  });
  it.each([["nothing.mjs"], ["missing.mjs"], ["flow.toml"]])("refuses the module %s", async (module) => {
    expect(await run([module, "--yes"])).toMatchObject({ status: 1, err: expect.stringContaining("[module]") });
  });
  it.each([
    [[]],
    [["a.mjs", "b.mjs"]],
    [["program.mjs", "--resume"]],
    [["program.mjs", "--history", "h", "--resume", "--replay"]],
    [["program.mjs", "--repository", "x"]],
  ])("%j is misused", async (words) => expect(await run(words)).toMatchObject({ status: 2 }));
});
