/** What the build has to know about this component. */
export const component = {
  /** The name of its files in the output. */
  name: "least",
  /** The declaration it answers for, without a version. */
  tool: "lists.flow.least",
  /** Its directory. The entry is `assembly/index.ts` in it. */
  directory: new URL("./", import.meta.url),
  /** The `tools` output with its declaration, which is no part of the demo's programs: `flow-host tools lists.flow` wrote it. */
  tools: new URL("tools.json", import.meta.url),
};
