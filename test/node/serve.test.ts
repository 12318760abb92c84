/** A toolset as a process, in each runtime that has processes: nothing comes out of it but messages, whatever its code prints. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readMessage } from "../../src/protocol/messages.ts";
import { bundleScript } from "../contract/bundle.ts";
import { identityOf } from "../toolkit/authored.ts";

const bin = (name: string): string => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath],
  deno: [bin("deno"), "run", "--allow-all"],
  bun: [bin("bun")],
};

let script: Awaited<ReturnType<typeof bundleScript>>;
beforeAll(async () => {
  script = await bundleScript(new URL("../toolkit/serve-process.ts", import.meta.url));
});
afterAll(() => script.remove());

it.each(Object.entries(RUNTIMES))("%s", async (_, [command = "", ...words]) => {
  const child = spawn(command, [...words, script.path], { stdio: "pipe" });
  const args = { order: "print", item: { id: "a", n: 1, price: 1 } };
  const messages = [
    { id: 1, method: "describe", params: { data: "0.1" } },
    ...["1", "2", "3"].map((call) => ({ method: "call", params: { run: "r", call, tool: identityOf("act"), args } })),
  ];
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = out.split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => readMessage(line).kind).sort()).toEqual(["reply", "reply", "reply", "response"]);
  expect(err.match(/a line/g)).toHaveLength(3);
  expect(err.match(/an: 'object'|an: "object"/g)).toHaveLength(3);
  expect(err.match(/no line feed/g)).toHaveLength(3);
});
