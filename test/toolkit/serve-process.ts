/** A child process that serves the authored toolset, and prints before it does. */
import { serveProcess } from "../../src/node/serve.ts";
import { implement } from "../../src/toolkit/implement.ts";
import { authoredToolkit, methods } from "./authored.ts";

process.stdout.write("printed while starting, without a line feed");
await serveProcess(implement(await authoredToolkit(), methods()));
