/** The tests that judge one room's mutants; `mutate.mjs` names the room in `FLOW_HOST_MUTATION_ROOM`. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ROOMS } from "./rooms.mjs";

const { tests } = ROOMS[process.env.FLOW_HOST_MUTATION_ROOM];

export default defineConfig({
  test: {
    include: tests,
    setupFiles: [fileURLToPath(new URL("./without.mjs", import.meta.url))],
    testTimeout: 60_000,
    alias: [{ find: /^fast-check$/, replacement: fileURLToPath(new URL("../support/runs.mjs", import.meta.url)) }],
  },
});
