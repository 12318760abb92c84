/** `flow-host run`: a program of an ES module, its Tools bound by `flow.toml`. */
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { createHost, type Host } from "../host/host.ts";
import type { Program } from "../host/program.ts";
import { jsonFromPlain } from "../json/admit.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import { DEFAULT_LIMITS } from "../json/limits.ts";
import { FileStore } from "../node/filestore.ts";
import { configuredBy } from "../node/manifests.ts";
import type { Binding } from "../protocol/binding.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { readTools, type ToolsDocument } from "../signature/tools.ts";
import { type Command, errorJson, type Io, listOf, misuse, OK, REFUSED, type Words } from "./command.ts";
import { placed, readBytes } from "./files.ts";
import { transcript } from "./transcript.ts";

export const runProgramCommand: Command = {
  summary: "run a program against a flow.toml, print its transcript",
  help: `
Usage: flow-host run MODULE [options]

Runs the program that an ES module exports as its default: { tools, input, run }. "tools" is a "tools" output (its text,
its JSON, or one that was read), "run" is called with the run and the input. Prints a line for each call and each outcome.

  --input JSON             the run's input; @FILE reads it from a file, - from standard input
  --root DIR               where local sources lie; by default the folder of the nearest flow.toml above MODULE
  --repository NAME=DIR    where a repository's sources lie (NAME or NAME@VERSION); may be given several times
  --history FILE           record the run in FILE
  --resume                 go on with the run in FILE where it ended
  --replay                 answer the program from FILE alone: nothing is started
  --yes                    start the commands of the flow.toml without asking
  --json                   print the transcript as JSON, one object a line
`,
  options: {
    input: { type: "string" },
    root: { type: "string" },
    repository: { type: "string", multiple: true },
    history: { type: "string" },
    resume: { type: "boolean" },
    replay: { type: "boolean" },
    yes: { type: "boolean", short: "y" },
  },
  async run(words, io) {
    const { values, positionals } = words;
    const [path, ...rest] = positionals;
    if (path === undefined || rest.length > 0) throw misuse("name one module");
    const history = values["history"] as string | undefined;
    if (values["resume"] === true && values["replay"] === true) throw misuse("give --resume or --replay, not both");
    if (history === undefined && (values["resume"] === true || values["replay"] === true)) throw misuse("name the --history");
    const module = placed(path, io);
    const program = await programOf(module);
    const store = history === undefined ? undefined : new FileStore(placed(history, io));
    const printed = transcript(io, values["json"] === true);
    const host = createHost({
      ...printed.hooks,
      configured: configuredBy({ repositories: repositoriesOf(words, io) }),
      mayStart: asking(io, values["yes"] === true),
    });
    try {
      if (values["replay"] === true) return await replay(host, program, store as FileStore, io);
      const { result } = await started(host, program, store, await base(module, values, io), words, io);
      io.out(printed.result(await result));
      return OK;
    } catch (caught) {
      printed.done();
      if (isFlowError(caught)) return refuse(caught, words, io);
      io.err(`the program failed: ${caught instanceof Error && caught.stack !== undefined ? caught.stack : reasonOf(caught)}\n`);
      return REFUSED;
    } finally {
      await host[Symbol.asyncDispose]();
    }
  },
};

async function started(host: Host, program: Program, store: FileStore | undefined, root: string, { values }: Words, io: Io) {
  if (values["resume"] === true) return host.resume({ program, history: store as FileStore });
  const word = (values["input"] as string | undefined) ?? "{}";
  const input = word === "-" ? await io.readInput() : word.startsWith("@") ? await readBytes(word.slice(1), io) : word;
  return host.start({ program, input, base: root, ...(store === undefined ? {} : { history: store }) });
}

async function replay(host: Host, program: Program, history: FileStore, io: Io): Promise<number> {
  const report = await host.replay({ program, history });
  if (report.status === "diverged") {
    io.err(`the program went another way: ${report.divergence.message}\n`);
    return REFUSED;
  }
  io.out(
    report.status === "same"
      ? `the same: ${inspect(report.problem ?? report.result)}\n`
      : "the same as far as the history goes: the run had not ended\n",
  );
  return OK;
}

/** Every reason why a run did not start or did not go on. */
function refuse(error: FlowError, { values }: Words, io: Io): number {
  if (values["json"] === true) io.err(`${JSON.stringify(errorJson(error))}\n`);
  else {
    for (const { code, message, at } of error.errors.length > 0 ? error.errors : [error]) {
      io.err(`${typeof at === "string" ? "" : `${at.file}:${at.line}:${at.column}: `}${message} [${code}]\n`);
    }
  }
  return REFUSED;
}

/** @throws FlowError `module` for a module that cannot be loaded or exports no program */
async function programOf(path: string): Promise<Program> {
  let exported: { readonly default?: unknown };
  try {
    exported = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  } catch (cause) {
    throw new FlowError("module", `${path} cannot be loaded: ${reasonOf(cause)}`, { cause });
  }
  const program = exported.default as Partial<Program> | undefined;
  if (typeof program !== "object" || program === null || typeof program.run !== "function" || program.tools === undefined) {
    throw new FlowError("module", `${path} exports no program as its default: an object with tools and run`);
  }
  return { ...program, tools: await toolsOf(program.tools), run: program.run.bind(program) };
}

/** A `tools` output as it was exported: one that was read, its text, or its JSON as an import or JSON.parse gives it. */
async function toolsOf(tools: unknown): Promise<ToolsDocument> {
  if (typeof tools === "string" || tools instanceof Uint8Array) return readTools(tools);
  if ((tools as Partial<ToolsDocument>).types instanceof Map) return tools as ToolsDocument;
  return readTools(jsonFromPlain(tools, { ...DEFAULT_LIMITS, depth: 1_000 }));
}

/** `NAME=DIR`, the last `=` parting them. */
function repositoriesOf({ values }: Words, io: Io): Record<string, string> {
  return Object.fromEntries(
    listOf(values["repository"]).map((word) => {
      const equals = word.lastIndexOf("=");
      if (equals < 1 || equals === word.length - 1) throw misuse(`expected --repository NAME=DIR, met ${JSON.stringify(word)}`);
      return [word.slice(0, equals), placed(word.slice(equals + 1), io)];
    }),
  );
}

async function base(module: string, values: Words["values"], io: Io): Promise<string> {
  if (typeof values["root"] === "string") return placed(values["root"], io);
  for (let directory = dirname(module); ; directory = dirname(directory)) {
    const found = await access(join(directory, "flow.toml")).then(
      () => true,
      () => false,
    );
    if (found) return directory;
    if (directory === dirname(directory)) return dirname(module);
  }
}

/** Asks once for each command before it is first started (R47). */
function asking(io: Io, yes: boolean): (tool: string, binding: Binding) => Promise<boolean | string> {
  const answers = new Map<string, Promise<boolean | string>>();
  // One question at a time: the Tools of a program are bound side by side.
  let last: Promise<unknown> = Promise.resolve();
  return (tool, { title }) => {
    if (yes) return Promise.resolve(true);
    const { ask } = io;
    if (ask === undefined) return Promise.resolve("nobody is there to ask; --yes starts it");
    let answer = answers.get(title);
    if (answer === undefined) {
      answer = last.then(async () => (await ask(`Start ${title} for ${tool}?`)) || "it was not wanted");
      last = answer;
      answers.set(title, answer);
    }
    return answer;
  };
}
