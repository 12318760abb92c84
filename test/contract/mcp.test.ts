import { tmpdir } from "node:os";
import { afterAll, beforeAll } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { bindMcp } from "../../src/node/mcp.ts";
import { bundleScript } from "./bundle.ts";
import { ACT } from "./tools.ts";
import { contractOf, POSTING } from "./ways.ts";

let server: Awaited<ReturnType<typeof bundleScript>>;

beforeAll(async () => {
  server = await bundleScript(new URL("./serve-mcp.ts", import.meta.url));
});

afterAll(() => server.remove());

contractOf({
  name: "a server made with the MCP SDK",
  tools: [ACT],
  hasOutcomes: false,
  hasText: false,
  // The SDK answers no request that was cancelled.
  hearsCancel: false,
  // It reads numbers as JavaScript does.
  posting: { ...POSTING, account: 9007199254740991n, amount: Decimal.from("0.1") },
  make: ({ tools }) => bindMcp([process.execPath, server.path], tmpdir(), tools),
});
