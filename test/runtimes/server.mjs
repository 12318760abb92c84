/** What the runtimes are given over HTTP: the built files for pages, and a service that answers for `catalog.read`. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const PAGE = '<!doctype html><title>smoke</title><script type="module" src="/test/runtimes/page.js"></script>';
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
/** @returns {Promise<{ port: number, close: () => Promise<void> }>} */
export async function startServer() {
  const entry = JSON.parse(await readFile(new URL("demo/tools.json", ROOT), "utf8")).tools.find(({ tool }) =>
    tool.endsWith("catalog.flow.read"),
  );
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://localhost");
      if (request.method === "POST" && pathname === "/tool")
        return answer(response, "application/json", toolAnswer(entry, await text(request)));
      if (pathname === "/page") return answer(response, "text/html", PAGE);
      if (!/^\/(?:dist|test\/runtimes|demo)\/[\w./-]+$/.test(pathname) || pathname.includes("..")) return response.writeHead(404).end();
      answer(response, TYPES[extname(pathname)] ?? "text/plain", await readFile(fileURLToPath(new URL(`.${pathname}`, ROOT))));
    } catch (error) {
      response.writeHead(error.code === "ENOENT" ? 404 : 500).end();
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response, type, body) {
  response.writeHead(200, { "content-type": type }).end(body);
}

/** By hand and not with the toolkit: what goes over the wire is the specification's, not what two halves of one library agree on. */
function toolAnswer({ tool, fingerprint, signature }, body) {
  const { id, method, params } = JSON.parse(body);
  if (method === "describe")
    return JSON.stringify({ jsonrpc: "2.0", id, result: { data: "0.1", tools: [{ tool, fingerprint, signature }] } });
  const { run, call, args } = params;
  return JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { run, call, outcome: { Failed: { NotFound: args.id } } } });
}
