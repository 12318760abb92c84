/** `catalog.read` for the benchmarks of calls: as a toolset, as a process, as an MCP server and as a Worker, by the word behind the script. */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parentPort } from "node:worker_threads";
import { canonicalText, readTools } from "../../dist/flow-host.js";
import { serveLines, serveWorker } from "../../dist/toolkit.js";

export const READ = "github.com/acme/docs@1.0.0/catalog.flow.read";
export const DOCUMENT = { id: "tool", title: "Tools", body: "A Tool is a declaration; an implementation answers its calls." };

/** A toolset made by hand: what a call costs is then the way's own and not the author's runtime's. */
export async function toolset() {
  const { tools } = await readTools(await readFile(new URL("../../demo/tools.json", import.meta.url)));
  const { fingerprint, signature } = tools.find(({ tool }) => tool === READ);
  const described = `{"data":"0.1","tools":[{"fingerprint":"${fingerprint}","signature":${canonicalText(signature)},"tool":"${READ}"}]}`;
  return {
    describe: () => described,
    answer: ({ args }) => `{"Ok":${JSON.stringify({ ...DOCUMENT, id: JSON.parse(args).id })}}`,
  };
}

/** The least of an MCP server over stdio that offers the tool `read`. */
function serveMcp() {
  const results = {
    initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "bench", version: "1.0.0" } }),
    "tools/list": () => ({ tools: [{ name: "read", inputSchema: { type: "object" } }] }),
    "tools/call": ({ arguments: { id } }) => ({ content: [], structuredContent: { ...DOCUMENT, id } }),
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) })}\n`);
  });
}

if (process.argv.includes("serve-mcp")) serveMcp();
if (process.argv.includes("serve-lines")) await serveLines(await toolset(), process.stdin, process.stdout);
if (parentPort !== null) serveWorker(await toolset(), parentPort);
