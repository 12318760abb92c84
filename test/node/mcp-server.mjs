/** An MCP server written by hand, which can be exact and can break: `node mcp-server.mjs DIRECTORY START...`. */
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [directory, ...starts] = process.argv.slice(2);
const started = readdirSync(directory).filter((name) => name.startsWith("started-")).length;
writeFileSync(join(directory, `started-${started + 1}`), String(process.pid));
const start = starts[Math.min(started, starts.length - 1)] ?? "well";
const say = (line) => process.stdout.write(`${line}\n`);
const send = (message) => say(JSON.stringify({ jsonrpc: "2.0", ...message }));
const result = (id, text) => say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
const noted = (what) => appendFileSync(join(directory, "trace"), `${what}\n`);

const POSTING = '{"account":73786976294838206465,"amount":123456789012345.678901234567891}';
const block = (text) => JSON.stringify({ type: "text", text });

const ORDERS = {
  structured: (id) => result(id, `{"content":[${block("not this")}],"structuredContent":${POSTING}}`),
  "structured null": (id) => result(id, `{"content":[${block(POSTING)}],"structuredContent":null}`),
  text: (id) => result(id, `{"content":[${block(POSTING)}]}`),
  "text beside others": (id) =>
    result(id, `{"content":[{"type":"image","data":"","mimeType":"image/png"},${block(POSTING)},{"type":"other","text":"1"}]}`),
  "two texts": (id) => result(id, `{"content":[${block(POSTING)},${block("x")}]}`),
  "no content": (id) => result(id, "{}"),
  "text that is no JSON": (id) => result(id, `{"content":[${block("posted!")}]}`),
  "no object": (id) => result(id, "7"),
  "error result": (id) => result(id, `{"content":[${block('"no"')}],"isError":true}`),
  "error result, structured": (id) => result(id, '{"content":[],"structuredContent":"no","isError":true}'),
  "error result that does not decode": (id) => result(id, `{"content":[${block("broke off")}],"isError":true}`),
  "isError of another kind": (id) => result(id, `{"content":[],"structuredContent":${POSTING},"isError":"yes"}`),
  "error response": (id) => send({ id, error: { code: -32602, message: "no such thing" } }),
  "number for id": (id) => {
    say(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"account":1,"amount":1}}}`);
    result(id, `{"structuredContent":${POSTING}}`);
  },
  twice: (id) => {
    result(id, `{"structuredContent":${POSTING}}`);
    send({ id, error: { code: 1, message: "again" } });
  },
  "20 MiB": (id) => result(id, `{"structuredContent":{"account":1,"amount":1,"note":"${"n".repeat(20 * 1024 * 1024)}"}}`),
  exit: () => process.exit(7),
  never: () => {},
  arguments: (id, line) => {
    noted(line);
    result(id, `{"structuredContent":${POSTING}}`);
  },
  // As fast as the host takes them, and deaf from then on.
  "asks without end": () => {
    lines.close();
    process.stdin.pause();
    const asks = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`.repeat(1_000);
    const ask = () => process.stdout.write(asks, ask);
    ask();
  },
  asks: (id) => {
    send({ id: "s1", method: "ping" });
    send({ id: 2, method: "sampling/createMessage", params: {} });
    send({ id: "s3", method: "roots/list" });
    send({ method: "notifications/message", params: { level: "info", data: "a word" } });
    send({ method: "notifications/tools/list_changed" });
    send({ method: "notifications/whatever" });
    result(id, `{"structuredContent":${POSTING}}`);
  },
};

const lines = createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result: answered, error } = JSON.parse(line);
  if (method === undefined) return noted(`answer ${JSON.stringify(id)} ${JSON.stringify(answered ?? error.code)}`);
  switch (method) {
    case "initialize":
      if (start === "refuses") return send({ id, error: { code: -32600, message: "not now" } });
      if (start === "is silent") return;
      noted(`capabilities ${JSON.stringify(params.capabilities)}`);
      return send({
        id,
        result: {
          protocolVersion: start === "speaks the future" ? "2199-01-01" : params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        },
      });
    case "notifications/initialized":
      return noted("initialized");
    case "notifications/cancelled":
      return noted(`cancelled ${params.requestId}`);
    case "tools/list": {
      const cursor = params.cursor ?? "0";
      if (start === "goes in circles")
        return send({ id, result: { tools: [{ name: `tool${cursor}` }, { name: "act" }], nextCursor: String((Number(cursor) + 1) % 3) } });
      if (start === "lists without end")
        return send({ id, result: { tools: [{ name: `${cursor}${"n".repeat(4 * 1024 * 1024)}` }], nextCursor: `${cursor}0` } });
      if (start === "lacks it") return send({ id, result: { tools: [{ name: "other" }] } });
      // On the third page.
      return send({
        id,
        result:
          cursor === "2" ? { tools: [{ name: "act" }] } : { tools: [{ name: `tool${cursor}` }], nextCursor: String(Number(cursor) + 1) },
      });
    }
    case "tools/call":
      return ORDERS[params.arguments.order](id, line);
  }
});
