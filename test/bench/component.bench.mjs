/**
 * Calls of a component: what the binding adds to the bare call of jco's glue with the same strings, and what the host adds to
 * that. The component is `search.find` as the build makes it, with an empty query, which it refuses at once, so that
 * hardly any time is its own.
 */
import { readFile } from "node:fs/promises";
import { collect } from "./measure.mjs";

const FIND = "github.com/acme/docs@1.0.0/search.flow.find";
const CALLS = 100_000;

async function parts(flow) {
  const directory = new URL("../../dist/components/search/", import.meta.url);
  const { instantiate, getCoreModule } = await import(new URL("node.js", directory).href);
  const listed = await flow.readTools(await readFile(new URL("../../demo/tools.json", import.meta.url), "utf8"));
  const tools = { ...listed, tools: listed.tools.filter(({ tool }) => tool === FIND) };
  return { instantiate, getCoreModule, tools, fingerprint: tools.tools[0].fingerprint };
}

export default {
  title: "Calls of a component",
  about:
    "The same strings cross each time. The bare call is the glue's; the binding judges each new instance and tells apart how a call can end; the host also encodes the arguments and decodes the outcome.",
  async *groups({ flow }) {
    const { instantiate, getCoreModule, tools, fingerprint } = await parts(flow);
    for (const [title, query] of [
      ["an empty query", ""],
      ["a query that finds four documents", "tool"],
    ]) {
      const args = JSON.stringify({ query });
      const { tool } = await instantiate(getCoreModule, {});
      const binding = flow.bindComponent(instantiate, getCoreModule);
      await binding.describe("0.1", new AbortController().signal);
      const host = flow.createHost({ bindings: { [FIND]: flow.bindComponent(instantiate, getCoreModule) } });
      let run;
      let end;
      const ended = new Promise((resolve) => {
        end = resolve;
      });
      const started = await host.start({
        program: {
          tools,
          run: (given) => {
            run = given;
            return ended;
          },
        },
      });
      const message = { run: "r", call: "1", tool: FIND, fingerprint, values: { query }, args };
      yield {
        title,
        rows: [
          {
            name: "jco's glue alone",
            run: () => tool.answer({ run: "r", call: "1", tool: FIND, args, schema: undefined, types: undefined }),
          },
          {
            name: "the same, awaited",
            run: async () => tool.answer({ run: "r", call: "1", tool: FIND, args, schema: undefined, types: undefined }),
          },
          { name: "bindComponent", run: () => binding.call(message) },
          { name: "run.call, arguments and outcome typed", run: () => run.call(FIND, { query }) },
        ],
      };
      end();
      await started.result;
      await host[Symbol.asyncDispose]();
    }
    yield {
      title: `heap that ${CALLS.toLocaleString("en")} calls leave behind`,
      rows: [
        { name: "jco's glue alone", unit: "bytes", amount: () => leftBehind(async () => bare(await instantiate(getCoreModule, {}))) },
        { name: "bindComponent", unit: "bytes", amount: () => leftBehind(() => bound(flow.bindComponent(instantiate, getCoreModule))) },
      ],
    };

    function bare({ tool }) {
      return () => tool.answer({ run: "r", call: "1", tool: FIND, args: '{"query":""}', schema: undefined, types: undefined });
    }

    async function bound(binding) {
      await binding.describe("0.1", new AbortController().signal);
      return () => binding.call({ run: "r", call: "1", tool: FIND, fingerprint, values: {}, args: '{"query":""}' });
    }
  },
};

/** How much larger the heap is after the calls, once what is garbage is gone; never 0, by which nothing could be divided. */
async function leftBehind(prepare) {
  const call = await prepare();
  for (let i = 0; i < CALLS / 10; i++) await call();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < CALLS; i++) await call();
  collect();
  return Math.max(1, process.memoryUsage().heapUsed - before);
}
