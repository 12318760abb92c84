/**
 * `npm run check`: everything that can be said of the project without running it. Wants a finished build.
 *
 * Each check gives the faults it finds, a sentence each that says what to do. The last line is `N passed, N failed`.
 */
import { builtChecks } from "./bundles.mjs";
import { codeChecks } from "./codes.mjs";
import { roomChecks } from "./rooms.mjs";
import { sizeChecks } from "./size.mjs";
import { toolChecks } from "./tools.mjs";
import { treeChecks } from "./tree.mjs";

/** @type {Record<string, () => Promise<string[]>>} */
const CHECKS = { ...toolChecks, ...roomChecks, ...codeChecks, ...builtChecks, ...sizeChecks, ...treeChecks };

let passed = 0;
let failed = 0;
// All at once: the compilers, which take nearly all of the time, are processes of their own.
const results = Object.entries(CHECKS).map(async ([name, check]) => [name, await check().catch((error) => [`broke off: ${error.stack}`])]);
for (const result of results) {
  const [name, faults] = await result;
  console.log(faults.length === 0 ? `ok      ${name}` : `FAILED  ${name}\n${faults.map(indented).join("\n")}`);
  if (faults.length === 0) passed += 1;
  else failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function indented(fault) {
  return fault.trimEnd().replace(/^/gm, "        ");
}
