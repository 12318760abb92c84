/** A child process of the contract test. */
import { serveLines } from "../../src/toolkit/serve/lines.ts";
import { contractTools } from "./tools.ts";
import { handMade } from "./toolset.ts";

console.error("the child speaks on standard error");
await serveLines(handMade(await contractTools()), process.stdin, process.stdout);
