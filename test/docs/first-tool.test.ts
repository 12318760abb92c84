/** The walk of docs/first-tool.md, as somebody new would make it: every file and command copied out and run, against what is built. */
import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const page = fileURLToPath(new URL("../../docs/first-tool.md", import.meta.url));
const shim = fileURLToPath(new URL("./npm.mjs", import.meta.url));

type Step =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "commands"; readonly text: string; output: string | undefined };

/** What the page has one do, in its order. A file's name stands above its text, what is printed below the commands. */
function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const [, path, language, text = ""] of markdown.matchAll(/(?:^`([^`\n]+)`\n\n)?^```(\w+)\n(.*?)^```$/gms)) {
    const last = steps.at(-1);
    if (language === "sh") steps.push({ kind: "commands", text, output: undefined });
    else if (path !== undefined) steps.push({ kind: "file", path, text });
    else if (language === "text" && last?.kind === "commands") last.output = text;
    else throw new Error(`a block that nobody would know what to do with:\n${text}`);
  }
  return steps;
}

let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flow-host-first-tool-"));
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "npm"), `#!/bin/sh\nexec "${process.execPath}" "${shim}" "$@"\n`);
  await chmod(join(bin, "npm"), 0o755);
  const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  environment = { ...process.env, PATH: `${bin}:${dirname(process.execPath)}:${process.env["PATH"]}`, REAL_NPM: npm, NO_COLOR: "1" };
  // What this test runs under is no business of the commands.
  for (const name of Object.keys(environment)) if (/^(npm_|VITEST|NODE_OPTIONS|FORCE_COLOR)/.test(name)) delete environment[name];
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it("leads from three Flow files to an answering Tool", { timeout: 300_000 }, async () => {
  const steps = stepsOf(await readFile(page, "utf8"));
  expect(steps.filter((step) => step.kind === "file" && step.path.endsWith(".flow"))).toHaveLength(3);
  let cwd = folder;
  for (const step of steps) {
    if (step.kind === "file") {
      await writeFile(join(cwd, step.path), step.text);
      continue;
    }
    const after = join(folder, "cwd");
    const script = `set -e\n${step.text}\npwd > "${after}"\n`;
    const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd, env: environment }).catch((failed) => {
      throw new Error(`${step.text}${failed.stdout}${failed.stderr}`);
    });
    cwd = (await readFile(after, "utf8")).trim();
    // The log is a stream of its own: what it says comes when it comes.
    if (step.output !== undefined) expect(stdout.split("\n").sort()).toEqual(step.output.split("\n").sort());
  }
  expect(await readFile(join(cwd, "tools.json"), "utf8")).toContain('"tool":"search.flow.find"');
});
