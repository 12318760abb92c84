/** A child process that serves the authored toolset; where it is told so, it prints before it does. */
import { serveProcess } from "../../src/node/serve.ts";
import { implement } from "../../src/toolkit/implement.ts";
import { authoredToolkit, methods } from "./authored.ts";

if (process.argv[2] === "print first") process.stdout.write("printed while starting, without a line feed");
await serveProcess(implement(await authoredToolkit(), methods()));
