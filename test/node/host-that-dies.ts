/** A host that binds a child, says so, and then waits to be killed. */
import { bindProcess } from "../../src/node/process.ts";

const [script, directory] = process.argv.slice(2) as [string, string];
const binding = bindProcess([process.execPath, script, directory], directory);
await binding.describe("0.1", new AbortController().signal);
process.stdout.write("described\n");
setInterval(() => {}, 1000);
