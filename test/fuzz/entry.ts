/** What the worker of `npm run fuzz` runs, as one bundle, whose coverage is the coverage of all that it fuzzes. */
export { Coverage } from "./coverage.ts";
export { fuzz } from "./driver.ts";
export { TARGETS } from "./targets/index.ts";
