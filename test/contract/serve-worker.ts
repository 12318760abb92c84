/** A Worker of the contract test, on Node. */
import { parentPort } from "node:worker_threads";
import { serveWorker, type WorkerPort } from "../../src/toolkit/serve/worker.ts";
import { contractTools } from "./tools.ts";
import { handMade } from "./toolset.ts";

serveWorker(handMade(await contractTools()), parentPort as unknown as WorkerPort);
