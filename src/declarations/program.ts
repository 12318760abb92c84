/** The files of a program (R33), each parsed, under the names that identities give them (R19). */
import { FlowError } from "../json/errors.ts";
import { compareCodePoints, isWellFormed, loneSurrogate } from "../json/text.ts";
import type { DeclarationCode } from "./codes.ts";
import { quoteName } from "./cursor.ts";
import { type Diagnostic, type FaultList, programDiagnostic } from "./diagnostic.ts";
import { tokenize } from "./lexer.ts";
import { type ParsedFile, parseFile } from "./parser.ts";
import { SourceText } from "./source.ts";

/** The texts of some files by path: `/` between segments, no `./`, with the `.flow` ending. Other files are passed over. */
export type SourceFiles = Readonly<Record<string, string>>;

/** A repository at its resolved version. */
export interface RepositorySource {
  /** Its name, without a version. */
  readonly repository: string;
  /** The version its files are of. */
  readonly version: string;
  /** Path from its root to text. */
  readonly files: SourceFiles;
}

/** A program: repositories, each once, and at most one local root. */
export interface ProgramSource {
  /** Every repository that the program uses, once. */
  readonly repositories: readonly RepositorySource[];
  /** The files outside of any repository, by their paths from the local root. */
  readonly local?: { readonly files: SourceFiles };
}

/** A repository, or the local root. */
export interface Unit {
  readonly index: number;
  /** `undefined` for the local root. */
  readonly repository: string | undefined;
  readonly files: Map<string, ProgramFile>;
}

export interface ProgramFile {
  readonly unit: Unit;
  readonly path: string;
  /** `repository@version/path`, or the path of a local file. */
  readonly id: string;
  readonly source: SourceText;
  readonly parsed: ParsedFile;
  /** Everything that is refused in it; the stages after parsing add theirs. */
  readonly faults: FaultList;
}

export interface LoadedProgram {
  readonly units: readonly Unit[];
  /** The unit that an import of a repository means. */
  readonly repositories: ReadonlyMap<string, Unit>;
  /** In order of id by code points, as R34 lists them. */
  readonly files: readonly ProgramFile[];
  /** What is refused of the program as a whole. */
  readonly diagnostics: readonly Diagnostic[];
}

const FILE_ENDING = ".flow";

export function loadProgram(program: ProgramSource): LoadedProgram {
  const loader = new Loader();
  for (const { repository, version, files } of program.repositories) loader.repository(repository, version, files);
  if (program.local !== undefined) loader.unit(undefined, "", program.local.files);
  const { units, repositories, diagnostics } = loader;
  const files = [...loader.files.values()].sort((a, b) => compareCodePoints(a.id, b.id));
  return { units, repositories, files, diagnostics };
}

class Loader {
  readonly units: Unit[] = [];
  readonly repositories: Map<string, Unit> = new Map();
  readonly files: Map<string, ProgramFile> = new Map();
  readonly diagnostics: Diagnostic[] = [];
  private readonly versions = new Map<string, string>();

  repository(name: string, version: string, files: SourceFiles): void {
    requireText(name, "a repository's name");
    requireText(version, "a repository's version");
    if (!isPath(name) || hasVersion(name)) {
      this.refuse("path", `expected a repository's name like github.com/acme/docs, met ${quoteName(name)}`, name);
      return;
    }
    if (version === "" || version.includes("/") || !isWellFormed(version)) {
      this.refuse("path", `expected the version of ${quoteName(name)}, a text without \`/\`, met ${quoteName(version)}`, version);
      return;
    }
    const other = this.versions.get(name);
    if (other === undefined) {
      this.versions.set(name, version);
      this.repositories.set(name, this.unit(name, `${name}@${version}/`, files));
      return;
    }
    const versions = other === version ? `${version} twice` : `${other} and ${version}`;
    this.refuse("two-versions", `expected one version of ${quoteName(name)}, met ${versions}; a program uses one of each repository`, name);
    // Its files are read all the same, so that what is wrong with them is said now.
    if (other !== version) this.unit(name, `${name}@${version}/`, files);
  }

  unit(repository: string | undefined, prefix: string, files: SourceFiles): Unit {
    const unit: Unit = { index: this.units.length, repository, files: new Map() };
    this.units.push(unit);
    for (const [path, text] of Object.entries(files)) {
      requireText(text, `the text of ${path}`);
      if (path.endsWith(FILE_ENDING)) this.file(unit, prefix, path, text);
    }
    return unit;
  }

  private file(unit: Unit, prefix: string, path: string, text: string): void {
    if (!isPath(path) || path === FILE_ENDING || path.endsWith(`/${FILE_ENDING}`)) {
      this.refuse("path", `expected a file's path inside its repository or root, without \`.\` and \`..\`, met ${quoteName(path)}`, path);
      return;
    }
    const id = prefix + path;
    if (this.files.has(id)) {
      this.refuse("path", `expected one file for each identity, met ${quoteName(id)} in a repository and as a local file`, id);
      return;
    }
    const parsed = parseFile(tokenize(text));
    const { faults } = parsed;
    const lone = isWellFormed(text) ? -1 : loneSurrogate(text);
    if (lone >= 0) {
      const number = `U+${text.charCodeAt(lone).toString(16).toUpperCase()}`;
      faults.add({
        code: "text",
        start: lone,
        end: lone + 1,
        message: `expected Unicode text, met the lone surrogate ${number}; save the file as UTF-8`,
        about: number,
      });
    }
    const file: ProgramFile = { unit, path, id, source: new SourceText(text), parsed, faults };
    unit.files.set(path, file);
    this.files.set(id, file);
  }

  private refuse(code: DeclarationCode, message: string, about: string): void {
    this.diagnostics.push(programDiagnostic(code, message, about));
  }
}

/** Names and paths alike: segments that are neither empty nor `.` nor `..`. */
function isPath(path: string): boolean {
  if (!isWellFormed(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/** An `@` inside a segment would be read as the start of a version (R19). */
function hasVersion(name: string): boolean {
  return name.split("/").some((segment) => segment.indexOf("@", 1) > 0);
}

function requireText(value: unknown, what: string): asserts value is string {
  if (typeof value !== "string") throw new FlowError("usage", `expected ${what}, a string, met ${typeof value}`);
}
