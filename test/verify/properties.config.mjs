/** Every test with a property in it, each property run many times as often as in `npm test`. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const TEST = fileURLToPath(new URL("..", import.meta.url));

const include = readdirSync(TEST, { recursive: true })
  .filter((path) => path.endsWith(".test.ts") && readFileSync(TEST + path, "utf8").includes('from "fast-check"'))
  .map((path) => `test/${path}`);

export default defineConfig({
  test: {
    include,
    testTimeout: 3_600_000,
    alias: [{ find: /^fast-check$/, replacement: fileURLToPath(new URL("../support/runs.mjs", import.meta.url)) }],
  },
});
