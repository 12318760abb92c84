/**
 * Reads call views and makes generic calls whose names look like things that can be read, while everything that reads,
 * loads or starts something is watched. Prints what was touched, and what was noticed of a look that was meant to be.
 */
import childProcess from "node:child_process";
import dns from "node:dns";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import module from "node:module";
import net from "node:net";
import tls from "node:tls";
import vm from "node:vm";
import workers from "node:worker_threads";
import { bindToolset } from "../../src/bindings/toolset.ts";
import { createHost } from "../../src/host/host.ts";
import { parseJson } from "../../src/json/read.ts";
import { type JsonValue, jsonObject } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { readCallView } from "../../src/signature/callview.ts";
import { fingerprintOf } from "../../src/signature/signature.ts";
import { writeCallViews } from "../../src/signature/writeview.ts";
import { ok } from "../../src/toolkit/author.ts";
import { implement } from "../../src/toolkit/implement.ts";
import { defineToolkit } from "../../src/toolkit/toolkit.ts";
import { readTypeSpec, readTypesView } from "../../src/types/spec.ts";

const NAMES = [
  "/etc/passwd",
  "file:///etc/passwd",
  "https://evil.example/x.flow.T",
  "node:fs",
  "../../src/index.ts",
  "./script.mjs",
  "data:text/javascript,globalThis.ran=true",
  "github.com/acme/docs@1.0.0/../../x.flow.T",
  "constructor",
  "__proto__",
];

const touched: string[] = [];

function watched<T extends object>(name: string, target: T): T {
  const note = (): void => void touched.push(name);
  return new Proxy(target, {
    apply(original, self, args) {
      note();
      return Reflect.apply(original as never, self, args);
    },
    construct(original, args, made) {
      note();
      return Reflect.construct(original as never, args, made) as object;
    },
  });
}

function watch(name: string, owner: Record<string, unknown>): void {
  // Getters are left alone: asking `process.stdin` for its value opens it.
  for (const [key, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (typeof value === "function" && writable === true) owner[key] = watched(`${name}.${key}`, value);
  }
}

/** Every import is told of, static and dynamic ones, before it is resolved. */
const { port1, port2 } = new workers.MessageChannel();
const imported: string[] = [];
let sawImport: (specifier: string) => void = () => {};
port1.on("message", (specifier: string) => {
  imported.push(specifier);
  sawImport(specifier);
});
const hooks = `let port;
export const initialize = (given) => { port = given; };
export const resolve = (specifier, context, next) => { port.postMessage(specifier); return next(specifier, context); };`;
module.register(`data:text/javascript,${encodeURIComponent(hooks)}`, { parentURL: import.meta.url, data: port2, transferList: [port2] });

const rooms = { fs, childProcess, dns, http, https, module, net, tls, vm, workers };
for (const [name, room] of Object.entries(rooms)) watch(name, room as never);
watch("fs.promises", fs.promises as never);
watch("dns.promises", dns.promises as never);
watch("process", process as never);
for (const name of ["fetch", "WebSocket", "eval", "Function"]) {
  const original = (globalThis as Record<string, unknown>)[name];
  if (original !== undefined) (globalThis as Record<string, unknown>)[name] = watched(name, original as object);
}
module.syncBuiltinESMExports();
touched.length = 0;

const T = { Param: { owner: "tool", index: 0n } };

/** A type of the caller's own that is called what a file or an address is called. */
function hostile(name: string) {
  const field = (type: JsonValue): JsonValue => ({ name, type, doc: name });
  const again = { Option: { Named: { declaration: name, args: [] } } };
  const declarations = jsonObject({
    [name]: { name, identity: name, lexical_ordinal: 1n, generic: [], opaque: false, kind: "record", doc: name, fields: [field(again)] },
  });
  const type = { Named: { declaration: name, args: [] } };
  const view = readTypesView({ bindings: [{ name: "T", type }], params: [], ok: "Unit", err: "Never", declarations });
  return { bindings: { T: type }, declarations: view.declarations };
}

const outcomes: string[] = [];
for (const name of NAMES) {
  const roots: JsonValue = { generic: ["T"], params: [{ name: "it", type: T }], ok: { List: T }, err: "Text" };
  const spec = readTypeSpec({ ...roots, declarations: {} });
  const views = writeCallViews(spec, hostile(name));
  readCallView({ schema: parseJson(views.schema), types: parseJson(views.types) }, spec);

  // The Tool itself has such a name as well.
  const tool = `${name.replace(/\.flow\.T$/, "")}.flow.same`;
  const entry = { tool, doc: null, fingerprint: await fingerprintOf(spec), roots: canonicalText(roots) };
  const toolkit = defineToolkit<{ same(args: { it: JsonValue }): unknown }, unknown>({ data: "0.1", tools: { same: entry }, types: "{}" });
  const toolset = implement(toolkit, { same: ({ it }) => ok([it, it]) });
  const host = createHost({ bindings: { [tool]: bindToolset(toolset) } });
  const { result } = await host.start({
    program: { tools: await toolkit.document(), run: (run) => run.call(tool, { it: {} }, { types: hostile(name) }) },
  });
  outcomes.push((await result).tag);
  await host[Symbol.asyncDispose]();
}

const before = [...touched];
const control = new Promise<void>((resolve) => {
  sawImport = (specifier) => {
    if (specifier === "node:querystring") resolve();
  };
});
// What is meant to be noticed is: the watch was on all the while. Imports are told of in order, so none is still to come.
touched.length = 0;
await fs.promises.readFile(new URL(import.meta.url));
await import("node:querystring");
await fetch("data:text/plain,x");
await control;
port1.close();
console.log(JSON.stringify({ outcomes, touched: before, imported, noticed: touched, ran: "ran" in globalThis }));
