import { tmpdir } from "node:os";
import { afterAll, beforeAll } from "vitest";
import { bindProcess } from "../../src/node/process.ts";
import { bundleScript } from "./bundle.ts";
import { contractOf } from "./ways.ts";

let child: Awaited<ReturnType<typeof bundleScript>>;

beforeAll(async () => {
  child = await bundleScript(new URL("./serve-lines.ts", import.meta.url));
});

afterAll(() => child.remove());

contractOf({ name: "process", make: () => bindProcess([process.execPath, child.path], tmpdir()) });
