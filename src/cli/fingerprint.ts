/** `flow-host fingerprint`: the fingerprints of a `tools` output. */
import { type Command, listOf, misuse, OK } from "./command.ts";
import { readToolsFile } from "./files.ts";
import { visibleLine } from "./visible.ts";

export const fingerprintCommand: Command = {
  summary: "print the fingerprints of a tools output",
  help: `
Usage: flow-host fingerprint TOOLS [options]

Reads a "tools" output, checks it as a whole, and prints each Tool's fingerprint and identity, a line each.

  TOOLS            the file, or - for standard input
  --tool IDENTITY  only this Tool; may be given several times
  --json           print one JSON object of identity to fingerprint
`,
  options: { tool: { type: "string", multiple: true } },
  async run({ values, positionals }, io) {
    const [path, ...rest] = positionals;
    if (path === undefined || rest.length > 0) throw misuse("name one tools output");
    const { tools } = await readToolsFile(path, listOf(values["tool"]), io);
    if (values["json"] === true)
      io.out(`${JSON.stringify(Object.fromEntries(tools.map(({ tool, fingerprint }) => [tool, fingerprint])))}\n`);
    else for (const { tool, fingerprint } of tools) io.out(`${fingerprint}  ${visibleLine(tool)}\n`);
    return OK;
  },
};
