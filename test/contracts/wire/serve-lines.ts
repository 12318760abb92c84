/** A provider in a child process. */
import { serveContractLines } from "../../../src/contracts/index.ts";
import { actingCalls } from "./provider.ts";

await serveContractLines(
  actingCalls(() => process.exit(3)),
  process.stdin,
  process.stdout,
);
