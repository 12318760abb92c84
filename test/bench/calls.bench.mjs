/** A call, by every way that needs no other machine: one argument out, one small record back. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import { DOCUMENT, READ, toolset } from "./tool.mjs";

/** So many calls are one run of a row: a single one is too short to be measured well. */
const CALLS = 200;

export default {
  title: "Calling a Tool",
  about: `${CALLS} calls one after the other, each waiting for its reply: one short text out, a record of three texts back.`,
  async *groups({ flow }) {
    const ends = [];
    const rows = [];
    for (const way of [
      bareAwait,
      hostCall,
      recordedCall,
      fetchCall,
      workerCall,
      processCall,
      mcpBindingCall,
      comlinkCall,
      capnwebCall,
      mcpCall,
    ]) {
      const { name, note, call, end } = await way(flow);
      rows.push({
        name,
        note,
        run: async () => {
          let last;
          for (let i = 0; i < CALLS; i++) last = await call("tool");
          return last;
        },
      });
      if (end !== undefined) ends.push(end);
    }
    try {
      yield { title: `${CALLS} calls`, rows };
    } finally {
      for (const end of ends) await end();
    }
  },
};

const answer = async (id) => ({ ...DOCUMENT, id });

async function bareAwait() {
  return { name: "await of a function", note: "no checks", call: answer };
}

/** A run that stays open for as long as it is measured. */
async function openRun(flow, options, way = functionOf) {
  const document = await flow.readTools(await readFile(new URL("../../demo/tools.json", import.meta.url)));
  const tools = { ...document, tools: document.tools.filter(({ tool }) => tool === READ) };
  const binding = await way(flow, tools.tools[0]);
  const host = flow.createHost({ bindings: { [READ]: binding } });
  let end;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const { run } = await host.start({ program: { tools, run: () => ended }, ...options });
  const close = async () => {
    end();
    await host[Symbol.asyncDispose]();
  };
  return { call: (id) => run.call(READ, { id }), end: close };
}

function functionOf(flow, declared) {
  return flow.bindFunction(declared, async ({ id }) => ({ tag: "Ok", value: { ...DOCUMENT, id } }));
}

async function fetchCall(flow) {
  const { serveFetch } = await import("../../dist/toolkit.js");
  const handler = serveFetch(await toolset());
  const way = () => flow.bindFetch((url, init) => handler(new Request(url, init)), "https://catalog.test/");
  return { name: "flow-host, fetch", note: "no network, a Request and a Response", ...(await openRun(flow, {}, way)) };
}

async function workerCall(flow) {
  const way = () => flow.bindWorker(() => new Worker(new URL("./tool.mjs", import.meta.url)));
  return { name: "flow-host, Worker", note: "worker_threads", ...(await openRun(flow, {}, way)) };
}

async function processCall(flow) {
  const { bindProcess } = await import("../../dist/node.js");
  const script = fileURLToPath(new URL("./tool.mjs", import.meta.url));
  const way = () => bindProcess([process.execPath, script, "serve-lines"], process.cwd());
  return { name: "flow-host, process", note: "lines over pipes", ...(await openRun(flow, {}, way)) };
}

async function hostCall(flow) {
  return { name: "flow-host, function", note: "both sides checked", ...(await openRun(flow, {})) };
}

async function recordedCall(flow) {
  const log = { text: "", dropped: 0, append() {}, note() {}, close() {} };
  const history = { open: () => log, read: () => "", notes: () => "" };
  return { name: "flow-host, function, recorded", note: "history lines written", ...(await openRun(flow, { history })) };
}

async function mcpBindingCall(flow) {
  const { bindMcp } = await import("../../dist/node.js");
  const script = fileURLToPath(new URL("./tool.mjs", import.meta.url));
  const way = (_, declared) => bindMcp([process.execPath, script, "serve-mcp"], process.cwd(), [declared]);
  return { name: "flow-host, MCP server", note: "lines over pipes", ...(await openRun(flow, {}, way)) };
}

async function comlinkCall() {
  const { expose, wrap } = await import("comlink");
  const { default: nodeEndpoint } = await import("comlink/dist/esm/node-adapter.mjs");
  const { port1, port2 } = new MessageChannel();
  expose({ read: answer }, nodeEndpoint(port1));
  const remote = wrap(nodeEndpoint(port2));
  return { name: "comlink", note: "MessageChannel", call: (id) => remote.read(id), end: () => port1.close() };
}

async function capnwebCall() {
  const { newMessagePortRpcSession, RpcTarget } = await import("capnweb");
  class Catalog extends RpcTarget {
    read(id) {
      return answer(id);
    }
  }
  const { port1, port2 } = new MessageChannel();
  newMessagePortRpcSession(port1, new Catalog());
  const remote = newMessagePortRpcSession(port2);
  return { name: "capnweb", note: "MessageChannel", call: (id) => remote.read(id), end: () => port1.close() };
}

async function mcpCall() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
  const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
  const { CallToolRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const document = await answer(params.arguments.id);
    return { content: [{ type: "text", text: JSON.stringify(document) }], structuredContent: document };
  });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    name: "MCP client",
    note: "in memory",
    call: (id) => client.callTool({ name: "read", arguments: { id } }),
    end: () => client.close(),
  };
}
