/** Compiling in memory as strictly as the project itself is compiled, `flow-host/toolkit` being its source. */
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

function options(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const { outDir, rootDir, declaration, emitDeclarationOnly, isolatedDeclarations, ...rest } = options;
  return { ...rest, noEmit: true, paths: { "flow-host/toolkit": [`${root}src/toolkit/index.ts`] }, allowImportingTsExtensions: true };
}

/**
 * Compiles some texts together.
 * @param files Texts by a path from this folder.
 * @returns What is wrong in each of them, one `line message` each.
 */
export function compile(files: Readonly<Record<string, string>>): Record<string, string[]> {
  const texts = new Map(Object.entries(files).map(([path, text]) => [here + path, text]));
  const settings = options();
  const host = ts.createCompilerHost(settings);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...more) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, version, ...more) : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...texts.keys()], settings, host);
  const met: Record<string, string[]> = {};
  for (const path of Object.keys(files)) met[path] = [];
  for (const { file, start = 0, messageText } of [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]) {
    throw new Error(`${file?.fileName}:${start}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  }
  for (const path of texts.keys()) {
    const source = program.getSourceFile(path);
    for (const { file, start = 0, messageText } of [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]) {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      met[path.slice(here.length)]?.push(`${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
    }
  }
  return met;
}
