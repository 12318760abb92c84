/** The room rule: who may import whom in `src/`. */
import { posix } from "node:path";
import ts from "typescript";
import { projectFiles } from "./files.mjs";

/** The rooms from the top down. A room may import those above it. */
export const ROOMS = [
  "json",
  "values",
  "types",
  "schema",
  "codec",
  "signature",
  "declarations",
  "protocol",
  "host",
  "bindings",
  "toolkit",
  "contracts",
  "node",
  "cli",
];

/** Narrower than their place in the table: what these rooms may import, rooms or single files. */
const NARROWER = {
  // Authors' code is served wherever it is; what calls it is not its business.
  toolkit: ["json", "values", "types", "schema", "codec", "signature", "declarations", "protocol"],
  // Contracts have no Flow types; they share the JSON reader and the hash.
  contracts: ["json", "signature/hash.ts"],
};

/** Wider than their room: what these parts of it may import beside. */
const WIDER = {
  // An adapter stands between two sides and knows both.
  "src/contracts/tools/": ["types", "codec", "signature", "protocol", "host", "bindings"],
  // Messages between a consumer and a provider travel as those of Tools do.
  "src/contracts/wire/": ["protocol", "bindings"],
};

/** The rooms that run on Node, Deno and Bun only. */
const NODE_ROOMS = ["node", "cli"];

export const roomChecks = {
  "the room rule": async () => roomFaults(await projectFiles("src")),
};

/**
 * @param {import("./files.mjs").Files} files those of `src/`
 * @returns {string[]}
 */
export function roomFaults(files) {
  const faults = [];
  for (const [path, text] of files) {
    if (!path.endsWith(".ts")) continue;
    for (const specifier of importsOf(text)) {
      const reason = specifier.startsWith(".")
        ? whyNot(path, posix.join(posix.dirname(path), specifier), files)
        : whyNotPackage(path, specifier);
      if (reason !== undefined) faults.push(`${path} imports ${specifier}: ${reason}`);
    }
  }
  return faults;
}

/** Every module a source names: imports, types, dynamic imports and re-exports. */
export function importsOf(text) {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function whyNot(from, to, files) {
  if (!files.has(to)) return "there is no such file in src/; sources name each other in full, ./name.ts";
  const own = roomOf(from);
  const other = roomOf(to);
  if (own === undefined) return other === undefined || isCore(other) ? undefined : "the core bundle holds the rooms down to bindings";
  if (other === undefined) return "rooms import each other's files, not the entry that gathers them";
  for (const room of [own, other]) if (!ROOMS.includes(room)) return `src/${room} is not in the table of rooms`;
  if (own === other) return whyNotSibling(from, to, files);
  const wider = Object.entries(WIDER).flatMap(([part, others]) => (from.startsWith(part) ? others : []));
  const allowed = [...(NARROWER[own] ?? ROOMS.slice(0, ROOMS.indexOf(own))), ...wider];
  if (allowed.includes(other) || allowed.includes(to.slice("src/".length))) return undefined;
  return `${own} may import ${allowed.join(", ") || "nothing"}`;
}

/** The ways to reach an implementation know nothing of each other; what several need stands in a file that is none of them. */
function whyNotSibling(from, to, files) {
  const isWay = (path) => /^export (?:async )?function bind[A-Z]/m.test(files.get(path) ?? "");
  if (!/^src\/(?:bindings|node)\//.test(from) || posix.basename(from) === "index.ts") return undefined;
  return isWay(from) && isWay(to) ? "bindings know nothing of each other" : undefined;
}

function whyNotPackage(from, specifier) {
  if (/^(?:https?|jsr|npm):/.test(specifier)) return "packages are named as npm names them";
  const isBuiltIn = specifier.startsWith("node:");
  return isBuiltIn && !NODE_ROOMS.includes(roomOf(from)) ? "only node and cli run where there are Node's built-ins" : undefined;
}

function isCore(room) {
  return ROOMS.indexOf(room) <= ROOMS.indexOf("bindings");
}

/** The room of a path in `src/`; none for the files that stand there themselves. */
function roomOf(path) {
  const [, room, ...rest] = path.split("/");
  return rest.length === 0 ? undefined : room;
}
