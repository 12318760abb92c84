/** What the build has to know about this component. */
export const component = {
  /** The name of its files in the output. */
  name: "search",
  /** The declaration it answers for, without a version. */
  tool: "github.com/acme/docs/search.flow.find",
  /** Its directory. The entry is `assembly/index.ts` in it. */
  directory: new URL("./", import.meta.url),
};
