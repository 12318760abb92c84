/**
 * A child process that breaks in every way there is. `node faulty.mjs DIRECTORY START...`: the first START says what the first
 * process does when it starts, the second what the second does, the last what all later ones do. What a call makes it do, the
 * call says as its order. DIRECTORY holds `describe.json`, and is where processes leave their traces.
 */
import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [directory, ...starts] = process.argv.slice(2);
const started = readdirSync(directory).filter((name) => name.startsWith("started-")).length;
writeFileSync(join(directory, `started-${started + 1}`), String(process.pid));
const start = starts[Math.min(started, starts.length - 1)] ?? "well";
const described = JSON.parse(readFileSync(join(directory, "describe.json"), "utf8"));

if (start === "exits") process.exit(3);
if (start === "prints rubbish first") say("npm warn something is old\n{}\n\n[1,2]\n");
process.on("SIGTERM", () => {
  trace("SIGTERM");
  if (start !== "ignores SIGTERM") process.exit(0);
});

/** Synchronously, so that what was said before an exit was said. */
function say(text) {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function trace(what) {
  appendFileSync(join(directory, "trace"), `${what}\n`);
}

function reply(params, outcome) {
  const { run, call } = params;
  return `${JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { call, outcome, run } })}\n`;
}

const OK = { Ok: { account: 1, amount: 2 } };
const held = [];

const ORDERS = {
  ok: (params) => say(reply(params, OK)),
  never: () => {},
  "exit at once": () => process.exit(0),
  "reply and exit": (params) => {
    say(reply(params, OK));
    process.exit(0);
  },
  "half a line and exit": (params) => {
    say(reply(params, OK).slice(0, 40));
    process.exit(1);
  },
  "a line without its line feed and exit": (params) => {
    say(reply(params, OK).trimEnd());
    process.exit(0);
  },
  "kill itself": () => process.kill(process.pid, "SIGKILL"),
  "close standard output": () => {
    // The descriptor itself, or the runtime would keep it.
    import("node:fs").then(({ closeSync }) => closeSync(1));
  },
  "leave a child behind": () => {
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: ["ignore", "inherit", "ignore"] });
    writeFileSync(join(directory, "grandchild"), String(child.pid));
    child.on("spawn", () => process.exit(5));
  },
  twice: (params) => say(reply(params, OK) + reply(params, { Failed: "again" })),
  "twice, the other way round": (params) => say(reply(params, { Failed: "first" }) + reply(params, OK)),
  "foreign first": (params) =>
    say(reply({ run: params.run, call: "999" }, OK) + reply({ run: "another run", call: params.call }, OK) + reply(params, OK)),
  "rubbish first": (params) => {
    const messages = [
      "a stray print",
      '{"jsonrpc":"2.0","method":"reply"}',
      '{"jsonrpc":"2.0","method":"reply","params":{"call":"1","outcome":{"Ok":1}}}',
      `{"jsonrpc":"1.0","method":"reply","params":${JSON.stringify({ ...params, outcome: OK })}}`,
      `{"jsonrpc":"2.0","method":"reply","params":{"run":${JSON.stringify(params.run)},"call":${JSON.stringify(params.call)},"call":"2","outcome":{"Failed":"x"}}}`,
      `{"jsonrpc":"2.0","method":"reply","params":{"run":${JSON.stringify(params.run)},"call":${JSON.stringify(params.call)},"outcome":{"Failed":"x"}},}`,
      '{"jsonrpc":"2.0","method":"progress","params":{}}',
      '{"jsonrpc":"2.0","id":7,"method":"sampling"}',
      '{"jsonrpc":"2.0","id":7,"result":{}}',
      "",
    ];
    say(`${messages.join("\n")}\n`);
    say(Buffer.concat([Buffer.from(reply(params, { Failed: "x" }).trimEnd()), Buffer.from([0xff, 10])]));
    say(reply(params, OK));
  },
  "a carriage return": (params) => say(`\r ${reply(params, OK).trimEnd()}\r\n`),
  "other line ends inside": (params) => say(reply(params, { Failed: "a\u2028b\u0085c" })),
  "one byte at a time": async (params) => {
    for (const byte of Buffer.from(reply(params, { Failed: "\u00e9\u{1f600}" }))) {
      say(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  "20 MiB": (params) => say(reply(params, { Ok: { account: 1, amount: 2, note: '\\"x'.repeat(20 * 256 * 1024) } })),
  "20 MiB that fail": (params) => say(reply(params, { Failed: "y".repeat(20 * 1024 * 1024) })),
  "20 MiB of nobody": () =>
    say(`${JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { outcome: { Ok: "z".repeat(20 * 1024 * 1024) } } })}\n`),
  "20 MiB of print": () => say(`${"p".repeat(20 * 1024 * 1024)}\n`),
  "20 MiB of a notification": (params) =>
    say(`${JSON.stringify({ jsonrpc: "2.0", method: "progress", params: { text: "q".repeat(20 * 1024 * 1024) } })}\n${reply(params, OK)}`),
  hold: (params) => {
    held.push(params);
  },
  "answer the held backwards": (params) => {
    for (const one of [params, ...held.splice(0).reverse()]) say(reply(one, { Failed: one.call }));
  },
  "stop reading": (params) => {
    lines.pause();
    process.stdin.pause();
    setInterval(() => {}, 1000);
    say(reply(params, OK));
  },
  "speak without end on standard error": (params) => {
    process.stderr.write(`${"x".repeat(5_000_000)}\nthe end\n`, () => say(reply(params, OK)));
  },
  "speak on standard error": (params) => {
    process.stderr.write("a word for the log\nand another\n", () => say(reply(params, OK)));
  },
};

const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === "describe") describe(message);
  else if (message.method === "cancel") cancelled(message.params);
  else ORDERS[message.params.args.order](message.params);
});
lines.on("close", () => {
  trace("end of input");
  if (start !== "ignores the end of input" && start !== "ignores SIGTERM") process.exit(0);
});

const LATE = new Map();
ORDERS["answer late"] = (params) => LATE.set(params.call, params);
function cancelled({ call }) {
  const params = LATE.get(call);
  // Past the grace time that the test gives.
  if (params !== undefined) setTimeout(() => say(reply(params, OK)), 300);
}

if (start.startsWith("ignores")) setInterval(() => {}, 1000);

function describe({ id }) {
  if (start === "never describes itself") {
    setInterval(() => {}, 1000);
    return;
  }
  if (start === "exits instead of a description") process.exit(4);
  if (start === "refuses to describe") {
    say(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })}\n`);
    return;
  }
  let result = described;
  if (start === "has another version") result = { ...described, data: "1.0" };
  if (start === "has no version") result = { tools: described.tools };
  if (start === "has no list") result = { data: described.data, tools: "none" };
  if (start === "serves nothing") result = { ...described, tools: [] };
  if (start === "serves another signature") {
    result = { ...described, tools: described.tools.map((tool) => ({ ...tool, fingerprint: `sha256:${"0".repeat(64)}` })) };
  }
  if (start === "describes itself at length") result = { ...described, more: "d".repeat(20 * 1024 * 1024) };
  say(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
