/** Checks of what was built: that it runs wherever it says, and that no two entries carry the same thing. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { bundleEntry, ENTRIES, presentEntries, ROOT, wantedNames } from "../../build.mjs";
import { licencesText, packagesIn } from "../../licences.mjs";
import { importsOf } from "./rooms.mjs";

/** The entries that run everywhere, by file name and text. */
async function portableBundles() {
  const entries = (await presentEntries()).filter(({ platform }) => platform === "neutral");
  return Promise.all(entries.map(async ({ name }) => [`${name}.js`, await readFile(join(ROOT, "dist", `${name}.js`), "utf8")]));
}

async function overBundles(faultsOf) {
  return (await portableBundles()).flatMap(([name, text]) => faultsOf(text).map((fault) => `dist/${name} ${fault}`));
}

export const builtChecks = {
  "bundles import each other only": () => overBundles(importFaults),
  "bundles make no code from strings": () => overBundles(codeFaults),
  "bundles await nothing at the top level": () => overBundles(awaitFaults),
  "bundles are ASCII": () => overBundles(asciiFaults),
  "nothing is carried twice": async () => {
    const esbuild = await import("esbuild");
    const wanted = await wantedNames(esbuild);
    const carried = (await presentEntries()).map(async (entry) => [entry.name, await inputsOf(esbuild, entry, wanted)]);
    return copyFaults(new Map(await Promise.all(carried)));
  },
  "what others wrote comes with its licence": async () => {
    const esbuild = await import("esbuild");
    const wanted = await wantedNames(esbuild);
    const metafiles = await Promise.all(
      (await presentEntries()).map(async (entry) => (await bundleEntry(esbuild, entry, wanted)).metafile),
    );
    const text = await licencesText(ROOT, new Set(metafiles.flatMap((metafile) => [...packagesIn(metafile)])));
    const built = await readFile(join(ROOT, "dist/LICENSES.txt"), "utf8").catch(() => "");
    return built === text ? [] : ["dist/LICENSES.txt is not of what the bundles carry now: node build.mjs writes it anew"];
  },
};

/** @param {string} text a bundle @returns {string[]} */
export function importFaults(text) {
  const files = ENTRIES.map(({ name }) => `./${name}.js`);
  return importsOf(text)
    .filter((specifier) => !files.includes(specifier))
    .map((specifier) => `imports ${specifier}, which not every runtime has`);
}

/** @param {string} text a bundle @returns {string[]} */
export function codeFaults(text) {
  const faults = [];
  visit(parse(text), (node) => {
    if (!(ts.isCallExpression(node) || ts.isNewExpression(node))) return;
    const called = calledName(node.expression);
    const [first] = node.arguments ?? [];
    const timer = /^set(?:Timeout|Interval)$/.test(called) && first !== undefined && ts.isStringLiteralLike(first);
    if (timer || called === "eval" || called === "Function") faults.push(`makes code from a string: ${node.getText().slice(0, 60)}`);
  });
  return faults;
}

/** The name of the global that is called, also as `globalThis.name` and `(0, name)`; an empty text for anything else. */
function calledName(callee) {
  if (ts.isParenthesizedExpression(callee)) return calledName(callee.expression);
  if (ts.isBinaryExpression(callee) && callee.operatorToken.kind === ts.SyntaxKind.CommaToken) return calledName(callee.right);
  if (ts.isIdentifier(callee)) return callee.text;
  const isGlobal = ts.isPropertyAccessExpression(callee) && /^(?:globalThis|window|self)$/.test(callee.expression.getText());
  return isGlobal ? callee.name.text : "";
}

/** @param {string} text a bundle @returns {string[]} */
export function awaitFaults(text) {
  const faults = [];
  visit(
    parse(text),
    (node) => {
      const waits = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined);
      if (waits) faults.push(`awaits at the top level: ${node.getText().slice(0, 60)}`);
    },
    (node) => !ts.isFunctionLike(node) && !ts.isPropertyDeclaration(node),
  );
  return faults;
}

/** @param {string} text a bundle @returns {string[]} */
export function asciiFaults(text) {
  const found = /[^\0-\x7f]/u.exec(text);
  return found === null ? [] : [`is not ASCII: ${JSON.stringify(text.slice(found.index, found.index + 20))} at ${found.index}`];
}

/** The files whose code an entry carries. */
async function inputsOf(esbuild, entry, wanted) {
  const { metafile } = await bundleEntry(esbuild, entry, wanted);
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0 && !path.startsWith("room:")),
  );
}

/**
 * R43: two copies of a class, or of the state of a module, would not know each other.
 * @param {ReadonlyMap<string, readonly string[]>} carried the files that each entry carries
 * @returns {string[]}
 */
export function copyFaults(carried) {
  const faults = [];
  const owners = new Map();
  for (const [entry, paths] of carried) {
    for (const path of paths) {
      const owner = owners.get(path);
      if (owner === undefined) owners.set(path, entry);
      else
        faults.push(`${path} is in dist/${owner}.js and in dist/${entry}.js; one of them must import the other (the table in build.mjs)`);
    }
  }
  return faults;
}

/** @param {string} text */
export function parse(text) {
  return ts.createSourceFile("bundle.ts", text, ts.ScriptTarget.Latest, true);
}

/** Looks at a node and at all below it, or those that it enters. */
export function visit(node, look, enters = () => true) {
  look(node);
  ts.forEachChild(node, (child) => {
    if (enters(child)) visit(child, look, enters);
  });
}
