/** A provider in a Worker of Node. */
import { parentPort } from "node:worker_threads";
import { serveContractWorker } from "../../../src/contracts/index.ts";
import { actingCalls } from "./provider.ts";

serveContractWorker(
  actingCalls(() => process.exit(3)),
  parentPort as unknown as Parameters<typeof serveContractWorker>[1],
);
