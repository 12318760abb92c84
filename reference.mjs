/**
 * The reference, from the docstrings: `npm run reference` writes `reference/`, a page for each entry of the package and for every export.
 *
 * It fails where a link leads nowhere, where an export names a type that has no page, and where an export, or a member of one, says
 * nothing of itself. With `--check` it writes nothing.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, LogLevel, ReflectionKind } from "typedoc";
import { ROOT } from "./build.mjs";

const OUT = join(ROOT, "reference");

/** Types that stand in the sources for a part of an exported one: what they are, it says. */
const NAMELESS = [
  "src/bindings/component-instance.ts:Wasm",
  "src/declarations/source.ts:SourceText",
  "src/toolkit/author.ts:MayBeAbsent",
  "src/toolkit/author.ts:Present",
  "src/types/terms.ts:PRIMITIVES",
  "src/values/duration.ts:TemporalDurationLike",
  "src/values/search.ts:KeptOrder",
];

/** What has to say what it is. Members of nameless types are told of where the type is. */
const DOCUMENTED =
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.TypeAlias |
  ReflectionKind.Variable |
  ReflectionKind.Enum |
  ReflectionKind.CallSignature |
  ReflectionKind.GetSignature |
  ReflectionKind.Property;

/**
 * Reads the sources of every entry.
 * @returns {Promise<{ app: Application, project: import("typedoc").ProjectReflection | undefined, faults: string[] }>}
 */
export async function readReference() {
  const { name, exports } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [sourceOf(types)]));
  const faults = [];
  const app = await Application.bootstrap({
    name,
    entryPoints: entries.map((entry) => join(ROOT, entry)),
    tsconfig: join(ROOT, "tsconfig.json"),
    // The compiler's own check is another one.
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    includeVersion: true,
    readme: "none",
    githubPages: false,
    hideGenerator: true,
    // Parts of a type that mean nothing by themselves.
    intentionallyNotExported: NAMELESS,
    logLevel: "Warn",
    validation: {
      notExported: true,
      invalidLink: true,
      invalidPath: true,
      rewrittenLink: true,
      notDocumented: false,
      unusedMergeModuleWith: true,
    },
  });
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) faults.push(message);
  };
  const project = await app.convert();
  if (project === undefined) return { app, project, faults: [...faults, "the sources could not be read"] };
  app.validate(project);
  faults.push(...undocumented(project));
  return { app, project, faults };
}

/** @param {import("typedoc").ProjectReflection} project @returns {string[]} */
export function undocumented(project) {
  return Object.values(project.reflections)
    .filter((reflection) => reflection.kindOf(DOCUMENTED) && !isNameless(reflection) && !reflection.hasComment())
    .map((reflection) => `${reflection.getFullName()} says nothing of itself`)
    .filter((fault, i, all) => all.indexOf(fault) === i)
    .sort();
}

/** Whether it is part of a type that is written where it is used. */
function isNameless(reflection) {
  for (let { parent } = reflection; parent !== undefined; parent = parent.parent) {
    if (parent.kindOf(ReflectionKind.TypeLiteral)) return true;
  }
  return false;
}

function sourceOf(types) {
  return types.replace(/^\.\/dist\/types\//, "src/").replace(/\.d\.ts$/, ".ts");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { app, project, faults } = await readReference();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error(`${faults.length} faults`);
    process.exitCode = 1;
  } else if (!process.argv.includes("--check")) {
    await app.generateDocs(project, OUT);
    console.log(OUT);
  }
}
