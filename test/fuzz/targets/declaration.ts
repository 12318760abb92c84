/** The reader of Flow declarations: diagnostics with places in the files, or Tools that a tools output carries whole. */
import { DECLARATION_CODES } from "../../../src/declarations/codes.ts";
import { type Diagnostic, renderDiagnostic } from "../../../src/declarations/diagnostic.ts";
import { outlineFile } from "../../../src/declarations/outline.ts";
import { type ReadProgram, readProgram } from "../../../src/declarations/read.ts";
import { canonicalText } from "../../../src/json/write.ts";
import { readTools } from "../../../src/signature/tools.ts";
import { typeSpecJson } from "../../../src/types/write.ts";
import { randomFrom } from "../../types/random.ts";
import { mutateFlow, NEXT_FILE, randomFlow } from "../flow-text.ts";
import { require, requireSame, type Target } from "../target.ts";
import { filesOf, fileText } from "../vectors.ts";

const DEEP = { depth: 1_000 };
/** Of one file; R35's `too-many` stands for the rest. */
const MOST_DIAGNOSTICS = 1_001;
const LONGEST_SENTENCE = 2_000;

const flowFiles = ["demo/flow", "wasm-tools"].flatMap((directory) => filesOf(directory, ".flow"));

export const declaration: Target = {
  name: "declaration",
  seeds: [
    ...flowFiles.map((path) => `${NEXT_FILE.slice(1)}main.flow\n${fileText(path)}`),
    `${NEXT_FILE.slice(1)}main.flow\n${fileText("demo/flow/docs/catalog.flow")}${NEXT_FILE}document.flow\n${fileText("demo/flow/docs/document.flow")}`,
    ...Array.from({ length: 40 }, (_, i) => randomFlow(randomFrom(i))),
  ],
  mutate: mutateFlow,
  async check(input) {
    const files = filesIn(input);
    const repository = Object.entries(files).filter(([path]) => path !== "main.flow" && path !== "a.flow");
    const read = await readProgram({
      // What stands in `b.flow` and beyond is a repository as well, for imports across repositories.
      repositories: [{ repository: "r", version: "1.0.0", files: Object.fromEntries(repository) }],
      local: { files },
    });
    if (read.diagnostics === undefined) await requireWhole(read);
    else {
      require(read.diagnostics.length > 0, "refused without a reason");
      for (const diagnostic of read.diagnostics) requireDiagnostic(diagnostic, files);
      const perFile = new Map<string, number>();
      for (const { file } of read.diagnostics) perFile.set(file, (perFile.get(file) ?? 0) + 1);
      for (const [file, count] of perFile) require(count <= MOST_DIAGNOSTICS, "diagnostics without end", file, count);
    }
    for (const text of Object.values(files)) requireOutline(text);
  },
};

/** The files of an input, by their paths. */
function filesIn(input: string): Record<string, string> {
  const files = Object.create(null) as Record<string, string>;
  for (const part of `\n${input}`.split(NEXT_FILE)) {
    const end = part.indexOf("\n");
    const path = end < 0 ? "" : part.slice(0, end);
    const text = end < 0 ? part : part.slice(end + 1);
    files[/^\w[\w/]*\.flow$/.test(path) ? path : "main.flow"] ??= text;
  }
  return files;
}

function requireDiagnostic(diagnostic: Diagnostic, files: Readonly<Record<string, string>>): void {
  const { code, file, line, column, endColumn = column, message } = diagnostic;
  require(Object.hasOwn(DECLARATION_CODES, code), "a code of no list", code);
  require(message.length <= LONGEST_SENTENCE, "a sentence as long as its file", message.length, message);
  if (line === 0) {
    requireSame(file, "", "a diagnostic of the whole program");
    return;
  }
  const source = files[file.replace(/^r@1\.0\.0\//, "")];
  const text = source?.split("\n")[line - 1];
  require(text !== undefined, "a line that is not there", file, line);
  require(column >= 1 && endColumn >= column && endColumn <= text.length + 1, "columns outside of their line", code, column, endColumn);
  require(renderDiagnostic(diagnostic, source).includes("^"), "nothing is pointed at");
}

async function requireWhole({ document, tools, types }: ReadProgram): Promise<void> {
  const text = canonicalText(document, DEEP);
  const read = await readTools(text);
  requireSame(read.tools.length, tools.length, "Tools of the output");
  requireSame(read.types.size, types.size, "types of the output");
  for (const [i, entry] of read.tools.entries()) {
    const own = tools[i];
    requireSame(entry.tool, own?.tool, "an identity");
    requireSame(entry.fingerprint, own?.fingerprint, "a fingerprint");
    requireSame(canonicalText(typeSpecJson(entry.spec), DEEP), own && canonicalText(typeSpecJson(own.spec), DEEP), "a description");
  }
}

/** Every range lies in the text, in order, and a highlight covers no character twice. */
function requireOutline(text: string): void {
  const { declarations, tokens } = outlineFile(text);
  for (const { start, end } of declarations.map(({ range }) => range)) require(0 <= start && start <= end && end <= text.length, "a range");
  let at = 0;
  for (const { start, end } of tokens) {
    require(start >= at && end >= start && end <= text.length, "tokens that overlap", start, end);
    at = end;
  }
}
