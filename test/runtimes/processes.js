/**
 * What `flow-host/node` does, on whichever runtime runs this: `processes.js DIRECTORY CHILD-COMMAND...`. Prints one line of JSON.
 * The child is `test/node/faulty.mjs`; DIRECTORY holds its description, a `tools.json` and a `flow.toml`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, Decimal, readTools } from "../../dist/flow-host.js";
import { bindProcess, configuredBy, FileStore } from "../../dist/node.js";

const [directory, ...command] = process.argv.slice(2);
const tools = await readTools(readFileSync(join(directory, "tools.json"), "utf8"));
const [{ tool }] = tools.tools;
const posting = { account: 2n ** 70n, amount: Decimal.from("0.1") };
const found = {};

async function outcomes(options, orders, start = {}) {
  const host = createHost({ graceMs: 200, ...options });
  try {
    const { result } = await host.start({ ...start, program: { tools, run: (run) => tagsOf(run, orders) } });
    return await result;
  } finally {
    await host[Symbol.asyncDispose]();
  }
}

async function tagsOf(run, orders) {
  const tags = [];
  for (const order of orders) tags.push((await run.call(tool, { order, posting }, order === "never" ? { timeoutMs: 30 } : {})).tag);
  return tags;
}

const store = new FileStore(join(directory, "run.history"));
const process_ = () => bindProcess(command, directory, { closeMs: 500 });
found.outcomes = await outcomes(
  { bindings: { [tool]: process_() } },
  ["ok", "exit at once", "ok", "20 MiB", "never", "kill itself", "ok"],
  {
    history: store,
  },
);
found.lines = (await store.read()).trimEnd().split("\n").length;
const log = await store.open();
found.locked = await new FileStore(join(directory, "run.history")).open().then(
  () => "open",
  ({ code }) => code,
);
await log.close();
found.configured = await outcomes({ configured: configuredBy() }, ["ok"], { base: directory });
found.missing = await outcomes({ bindings: { [tool]: bindProcess("no-such-command-anywhere", directory) } }, ["ok"]).catch(
  ({ errors }) => errors[0].code,
);
console.log(JSON.stringify(found));
