/** `flow-host tools`: from Flow declarations to the `tools` output (R34). */
import { renderDiagnostic } from "../declarations/diagnostic.ts";
import type { ProgramSource } from "../declarations/program.ts";
import { readProgram } from "../declarations/read.ts";
import { toolsText } from "../signature/tools.ts";
import { type Command, listOf, OK, REFUSED } from "./command.ts";
import { selectTools, writeWhole } from "./files.ts";
import { readSources } from "./sources.ts";

export const toolsCommand: Command = {
  summary: "read Flow declarations, print the Tools they declare",
  help: `
Usage: flow-host tools [FILES...] [options]

Reads Flow declarations and prints the "tools" output: each Tool with its identity, fingerprint, signature and types,
as canonical JSON. Everything that is wrong with the program is reported at once, and nothing is printed then.

  FILES                         local Flow files, or folders of them; - reads one from standard input
  --root DIR                    the local root, from which files have their paths; by default the folder of the nearest
                                flow.toml, or this one. Without FILES, all Flow files below it are read
  --repository NAME@VERSION=DIR a repository and the folder of its files; may be given several times
  --tool IDENTITY               only this Tool; may be given several times
  -o, --output FILE             write to FILE
  --json                        print diagnostics as JSON, one a line
`,
  options: {
    root: { type: "string" },
    repository: { type: "string", multiple: true },
    tool: { type: "string", multiple: true },
    output: { type: "string", short: "o" },
  },
  async run({ values, positionals }, io) {
    const root = values["root"] as string | undefined;
    const source = await readSources({ repositories: listOf(values["repository"]), root, files: positionals }, io);
    const read = await readProgram(source);
    if (read.diagnostics !== undefined) {
      for (const diagnostic of read.diagnostics) {
        io.err(
          values["json"] === true
            ? `${JSON.stringify(diagnostic)}\n`
            : `${renderDiagnostic(diagnostic, textOf(source, diagnostic.file))}\n\n`,
        );
      }
      return REFUSED;
    }
    const text = `${await toolsText(selectTools(read.tools, listOf(values["tool"])))}\n`;
    const output = values["output"] as string | undefined;
    if (output === undefined) io.out(text);
    else await writeWhole(output, text, io);
    return OK;
  },
};

/** The text of a file as diagnostics name it: `repository@version/path`, or a local path. */
function textOf({ repositories, local }: ProgramSource, file: string): string | undefined {
  for (const { repository, version, files } of repositories) {
    const prefix = `${repository}@${version}/`;
    if (file.startsWith(prefix)) return files[file.slice(prefix.length)];
  }
  return local?.files[file];
}
