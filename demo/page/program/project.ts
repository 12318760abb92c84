/** What the Program view edits: declaration files, a program, and what is bound to each Tool. */
import type { ProgramSource } from "flow-host/declarations";
import type { Fault, ToolSetup } from "../../runner/messages.ts";
import catalogRead from "../../sample/page/catalog.read.txt" with { type: "text" };
import catalogReadJs from "../../sample/page/catalog.read.txt?js" with { type: "text" };
import ledgerPost from "../../sample/page/ledger.post.txt" with { type: "text" };
import ledgerPostJs from "../../sample/page/ledger.post.txt?js" with { type: "text" };
import programText from "../../sample/page/program.txt" with { type: "text" };
import programJs from "../../sample/page/program.txt?js" with { type: "text" };
import { SAMPLE_SOURCE } from "../../sample/sources.ts";

export type Kind = ToolSetup["kind"];

/** How one Tool is answered. Functions stand in TypeScript. */
export interface Bound {
  readonly kind: Kind;
  readonly url?: string;
  /** The id of a dropped component. */
  readonly component?: string;
  readonly fault?: Fault;
}

export interface Project {
  /** Flow files by name; those of the sample's repository have the names that they have in it. */
  readonly files: Readonly<Record<string, string>>;
  readonly program: string;
  /** TypeScript modules by the Tool's file and name. */
  readonly functions: Readonly<Record<string, string>>;
  /** By the Tool's file and name. */
  readonly bound: Readonly<Record<string, Bound>>;
}

const [{ repository, version, files: repositoryFiles } = { repository: "", version: "", files: {} }] = SAMPLE_SOURCE.repositories;

export const SAMPLE: Project = {
  files: { ...SAMPLE_SOURCE.local?.files, ...repositoryFiles },
  program: programText,
  functions: { "catalog.read": catalogRead, "ledger.post": ledgerPost },
  bound: { "search.find": { kind: "component" } },
};

/** The sample's texts without their types, made by the build. */
export const SAMPLE_JAVASCRIPT: ReadonlyMap<string, string> = new Map([
  [programText, programJs],
  [catalogRead, catalogReadJs],
  [ledgerPost, ledgerPostJs],
]);

/** What answers a Tool for which nobody has written anything yet. */
export const NEW_FUNCTION = `/** Answers with an outcome: ok and err read JSON at the declared types. */
export default async function (values: any, { ok, err }: any) {
  return err('"…"');
}
`;

/** Its files by name, the program first. */
export function filesOf({ files, program, functions }: Project, programFile: string): readonly (readonly [string, string])[] {
  const written = Object.entries(functions).map(([name, text]) => [`${name}.ts`, text] as const);
  return [[programFile, program] as const, ...Object.entries(files), ...written];
}

/** As `readProgram` takes it. */
export function sourceOf({ files }: Project): ProgramSource {
  const own: Record<string, string> = {};
  const local: Record<string, string> = {};
  for (const [name, text] of Object.entries(files)) (Object.hasOwn(repositoryFiles, name) ? own : local)[name] = text;
  return { repositories: [{ repository, version, files: own }], local: { files: local } };
}

/** The file a diagnostic is about, by the name it has here. */
export function fileOf(id: string): string {
  const prefix = `${repository}@${version}/`;
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

/** What is not as the sample has it; undefined where everything is. */
export function differing(project: Project): Partial<Project> | undefined {
  const pick = (now: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
  const result = {
    files: pick(project.files, SAMPLE.files),
    functions: pick(project.functions, SAMPLE.functions),
    bound: pick(project.bound, SAMPLE.bound),
    ...(project.program === SAMPLE.program ? {} : { program: project.program }),
  };
  const parts = Object.entries(result).filter(([, part]) => typeof part === "string" || Object.keys(part).length > 0);
  return parts.length === 0 ? undefined : (Object.fromEntries(parts) as Partial<Project>);
}

/** The project with these Tools answered by a dropped component. */
export function withComponent(project: Project, names: readonly string[], component: string): Project {
  const bound = names.map((name): [string, Bound] => [name, { ...project.bound[name], kind: "dropped", component }]);
  return { ...project, bound: { ...project.bound, ...Object.fromEntries(bound) } };
}

/** The project as a link can carry it: what a dropped component answers, it leaves to the sample. */
export function withoutDropped(project: Project): Project {
  const bound = Object.entries(project.bound).map(([name, each]): [string, Bound] => {
    if (each.kind !== "dropped") return [name, each];
    const { component: _, ...rest } = each;
    return [name, { ...rest, kind: SAMPLE.bound[name]?.kind ?? "function" }];
  });
  return { ...project, bound: Object.fromEntries(bound) };
}

/** The sample with what a link changes of it. What is of another form than the page writes is passed over. */
export function withChanges(changes: unknown): Project {
  if (typeof changes !== "object" || changes === null) return SAMPLE;
  const { files, functions, bound, program } = changes as Record<string, unknown>;
  return withoutDropped({
    files: { ...SAMPLE.files, ...texts(files) },
    functions: { ...SAMPLE.functions, ...texts(functions) },
    bound: { ...SAMPLE.bound, ...(typeof bound === "object" ? (bound as Project["bound"]) : {}) },
    program: typeof program === "string" ? program : SAMPLE.program,
  });
}

/** Whether opening it would run code that somebody else wrote, or call an address. */
export function carriesCode(project: Project): boolean {
  const changed = differing(project);
  return (
    changed !== undefined &&
    (changed.program !== undefined ||
      changed.functions !== undefined ||
      Object.values(project.bound).some(({ kind, url }) => kind === "url" && url !== undefined))
  );
}

function texts(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === "string")) as Record<string, string>;
}
