/** What each `use` names (R32, R33), and the cycles that imports may not form. */
import type { DeclarationCode } from "./codes.ts";
import { quoteName } from "./cursor.ts";
import { components } from "./graph.ts";
import type { LoadedProgram, ProgramFile, Unit } from "./program.ts";
import type { UseNode } from "./syntax.ts";

/** The files that a file's aliases stand for; `undefined` for an alias whose `use` was refused. */
export type Aliases = ReadonlyMap<string, ProgramFile | undefined>;

/** The alias of the standard module that `json.Value` is of. */
export const JSON_ALIAS = "json";

interface Import {
  readonly file: ProgramFile;
  readonly use: UseNode;
  readonly to: Unit;
}

/** Looks up every `use` of the program; what is refused is added to the faults of its file. */
export function resolveImports(program: LoadedProgram): ReadonlyMap<ProgramFile, Aliases> {
  const resolver = new Resolver(program);
  const aliases = new Map<ProgramFile, Aliases>();
  for (const file of program.files) aliases.set(file, resolver.file(file));
  refuseCycles(program.units, resolver.between);
  return aliases;
}

class Resolver {
  /** The imports from one unit of another. */
  readonly between: Import[] = [];
  private readonly program: LoadedProgram;
  /** Lengths of repository names, longest first: of several that begin a path the longest is meant (R33). */
  private readonly lengths: readonly number[];

  constructor(program: LoadedProgram) {
    this.program = program;
    this.lengths = [...new Set([...program.repositories.keys()].map((name) => name.length))].sort((a, b) => b - a);
  }

  file(file: ProgramFile): Aliases {
    const aliases = new Map<string, ProgramFile | undefined>();
    for (const item of file.parsed.items) {
      if (item.kind !== "use") continue;
      const target = this.resolve(file, item);
      const { alias } = item;
      if (alias === undefined) continue;
      if (alias.text === JSON_ALIAS) {
        const message = "met an alias named `json`, which `json.Value` already means; rename the file";
        refuse(file, "reserved", item, message, alias.text);
      } else if (aliases.has(alias.text)) {
        const message = `met the alias ${quoteName(alias.text)} a second time; a file has each alias once, rename one of the two files`;
        refuse(file, "duplicate", item, message, alias.text);
      } else {
        aliases.set(alias.text, target);
      }
    }
    return aliases;
  }

  private resolve(file: ProgramFile, use: UseNode): ProgramFile | undefined {
    const { path } = use;
    if (path.startsWith("./") || path.startsWith("../")) {
      return this.inside(file, use, file.unit, file.path.split("/").slice(0, -1), path);
    }
    for (const length of this.lengths) {
      const unit = path[length] === "/" ? this.program.repositories.get(path.slice(0, length)) : undefined;
      if (unit === undefined) continue;
      // A second version of a repository is one and the same node as the first.
      if (unit.repository !== file.unit.repository) this.between.push({ file, use, to: unit });
      return this.inside(file, use, unit, [], path.slice(length + 1));
    }
    if (this.program.repositories.has(path)) {
      refuse(
        file,
        "unresolved-import",
        use,
        `expected a file of the repository, met only the name of ${quoteName(path)}; add the file`,
        path,
      );
      return undefined;
    }
    const isSpelt = path !== "" && path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
    if (!isSpelt) {
      const message = `expected a path like \`./document\` or \`github.com/acme/docs/document\`, met ${quoteName(path)}`;
      refuse(file, "path", use, message, path);
      return undefined;
    }
    const beside = [...file.path.split("/").slice(0, -1), path].join("/");
    const advice = file.unit.files.has(`${beside}.flow`)
      ? `write \`./${path}\` for the file beside this one`
      : "add the repository to the program, or start the path with `./` for a file of this one";
    refuse(file, "unresolved-import", use, `met ${quoteName(path)}, which starts with no repository of this program; ${advice}`, path);
    return undefined;
  }

  /** A path inside a unit, from one of its folders. */
  private inside(file: ProgramFile, use: UseNode, unit: Unit, folder: string[], path: string): ProgramFile | undefined {
    const segments = folder;
    for (const segment of path.split("/")) {
      if (segment === "" || segment.includes("\\")) {
        refuse(file, "path", use, `expected names between single slashes, met ${quoteName(path)}`, use.path);
        return undefined;
      }
      if (segment === ".") continue;
      if (segment !== "..") segments.push(segment);
      else if (segments.pop() === undefined) {
        const root = unit.repository === undefined ? "the local root" : `the repository ${quoteName(unit.repository)}`;
        const message = `met ${quoteName(use.path)}, which leaves ${root}; import another repository's file by its repository's name`;
        refuse(file, "path", use, message, use.path);
        return undefined;
      }
    }
    const target = unit.files.get(`${segments.join("/")}.flow`);
    if (target !== undefined) return target;
    const wanted = quoteName(`${segments.join("/")}.flow`);
    const place = unit.repository === undefined ? "the local root" : quoteName(unit.repository);
    refuse(
      file,
      "unresolved-import",
      use,
      `met ${quoteName(use.path)}, but there is no file ${wanted} in ${place}; correct the path or add the file`,
      use.path,
    );
    return undefined;
  }
}

/** Every `use` on a cycle is refused (R33): those that lead from one repository to another and from there back. */
function refuseCycles(units: readonly Unit[], imports: readonly Import[]): void {
  const byName = new Map<string | undefined, number>();
  const node = (unit: Unit): number => {
    const known = byName.get(unit.repository) ?? byName.size;
    byName.set(unit.repository, known);
    return known;
  };
  for (const unit of units) node(unit);
  const successors: Set<number>[] = Array.from({ length: byName.size }, () => new Set());
  for (const { file, to } of imports) successors[node(file.unit)]?.add(node(to));
  const lists = successors.map((set) => [...set]);
  const component = components(lists.length, (from) => lists[from] ?? []);
  for (const { file, use, to } of imports) {
    if (component[node(file.unit)] !== component[node(to)]) continue;
    const names = `${quoteName(file.unit.repository ?? "")} and ${quoteName(to.repository ?? "")}`;
    const message = `met an import on a cycle between ${names}, neither of which could be released first; move the shared types to a repository of their own`;
    file.faults.add({ code: "import-cycle", start: use.at.start, end: use.at.end, message, about: use.path });
  }
}

function refuse(file: ProgramFile, code: DeclarationCode, use: UseNode, message: string, about: string): void {
  // A path without an alias was refused where it was read.
  if (use.alias === undefined) return;
  file.faults.add({ code, start: use.at.start, end: use.at.end, message, about });
}
