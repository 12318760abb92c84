import { Worker } from "node:worker_threads";
import { afterAll, beforeAll } from "vitest";
import { bindWorker } from "../../src/bindings/worker.ts";
import { bundleScript } from "./bundle.ts";
import { contractOf } from "./ways.ts";

let script: Awaited<ReturnType<typeof bundleScript>>;

beforeAll(async () => {
  script = await bundleScript(new URL("./serve-worker.ts", import.meta.url));
});

afterAll(() => script.remove());

contractOf({ name: "worker of worker_threads", make: () => bindWorker(() => new Worker(script.path), { graceMs: 2_000 }) });
