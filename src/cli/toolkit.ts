/** `flow-host toolkit`: from a `tools` output to the TypeScript that authors and programs work with. */
import { readTools } from "../signature/tools.ts";
import { generateToolkit } from "../toolkit/generate/generate.ts";
import { type Command, listOf, misuse, OK } from "./command.ts";
import { readBytes, selectTools, writeWhole } from "./files.ts";

export const toolkitCommand: Command = {
  summary: "generate TypeScript from a tools output",
  help: `
Usage: flow-host toolkit TOOLS [options]

Reads a "tools" output, checks it as a whole, and generates TypeScript from it: the types of the declarations, the
interface that an author implements, the functions that a program calls, and the descriptions from which the toolkit
answers. The source imports flow-host/toolkit and nothing else. Where anything is refused, no file is written.

  TOOLS              the file, or - for standard input
  --tool IDENTITY    only this Tool and what it reaches; may be given several times
  -o, --output FILE  write to FILE; otherwise the source is printed
  --json             print what is refused as JSON
`,
  options: { tool: { type: "string", multiple: true }, output: { type: "string", short: "o" } },
  async run({ values, positionals }, io) {
    const [path, ...rest] = positionals;
    if (path === undefined || rest.length > 0) throw misuse("name one tools output");
    const select = listOf(values["tool"]);
    const bytes = await readBytes(path, io);
    // Says which Tools there are, where one is asked for that is none of them.
    if (select.length > 0) selectTools((await readTools(bytes)).tools, select);
    const source = await generateToolkit(bytes, select.length === 0 ? {} : { select });
    const output = values["output"] as string | undefined;
    if (output === undefined) io.out(source);
    else await writeWhole(output, source, io);
    return OK;
  },
};
