/** What the build has to know about this component. */
import { splitIdentity } from "../identity.mjs";

export const component = {
  /** The name of its directory and files in the output. */
  name: "search",
  /** The declaration it answers for, without a version. */
  tool: "github.com/acme/docs/search.flow.find",
  /** Its AssemblyScript sources, the first to compile among them. */
  sources: new URL("./assembly/", import.meta.url),
  entry: "index.ts",
  /** The source of its `constants.ts`. */
  constants({ tool, fingerprint, signature }) {
    const [before, after] = splitIdentity(tool);
    const values = {
      TOOL: tool,
      TOOL_BEFORE_VERSION: before,
      TOOL_AFTER_VERSION: after,
      FINGERPRINT: fingerprint,
      SIGNATURE: signature,
    };
    return Object.entries(values)
      .map(([name, value]) => `export const ${name}: string = ${JSON.stringify(value)};\n`)
      .join("");
  },
};
