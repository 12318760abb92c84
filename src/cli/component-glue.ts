/**
 * Makes jco's glue portable and exact. Each patch must find what it replaces and the result is checked, so that a new jco that
 * writes its glue another way fails the build instead of bringing back what was removed. Nothing here needs Node: a page
 * that transpiles for itself patches the same.
 */
import { FlowError } from "../json/errors.ts";

interface Patch {
  readonly why: string;
  readonly find: RegExp;
  readonly put: string;
  /** Whether there may be nothing to replace. */
  readonly optional?: boolean;
}

const EXACT = "{ fatal: true, ignoreBOM: true }";

const PATCHES: readonly Patch[] = [
  {
    why: "Text that is not UTF-8 is an error, not U+FFFD, and a leading U+FEFF is a character like any other.",
    find: /new TextDecoder\(\)/gu,
    put: `new TextDecoder("utf-8", ${EXACT})`,
  },
  {
    why: "The same for components whose strings are UTF-16.",
    find: /new TextDecoder\('utf-16'\)/gu,
    put: `new TextDecoder("utf-16", ${EXACT})`,
    optional: true,
  },
  {
    why: "The caller always gives the core modules. A fallback that fetches them is dead code that bundlers follow.",
    find: /const fetchCompile = [^\n]*\n|if \(!getCoreModule\) getCoreModule = [^\n]*\n/gu,
    put: "",
  },
  {
    why: "The debug log reads the environment on every call, for which Deno asks a permission.",
    find: /const _debugLog = \(\.\.\.args\) => \{[^}]*\}[^}]*\};/gu,
    put: "const _debugLog = () => {};",
  },
];

/** What must not be left: each breaks a runtime (Deno, workerd, a page with a content policy) or hides bad text. */
const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ["process", /\bprocess\b/u],
  ["a Node built-in", /\bnode:|\brequire\s*\(|\bBuffer\b/u],
  ["code from strings", /\beval\s*\(|\bnew\s+Function\b/u],
  ["a module of its own making", /\bimport\s*\(|\bimport\.meta\b|\bfetch\s*\(|^import\b/mu],
  ["compiling", /\bWebAssembly\s*\.\s*(?:compile|Module)\b/u],
  ["lenient text decoding", /\bTextDecoder\((?!"utf-(?:8|16)",\s*\{\s*fatal:\s*(?:true|!0),\s*ignoreBOM:\s*(?:true|!0)\s*\}\))/u],
];

/**
 * Patches the glue of a component that was transpiled with `instantiation: "async"` and without Node compatibility.
 * @throws FlowError `unsupported` where the glue is not of the form these patches were written for
 */
export function patchGlue(source: string): string {
  let patched = source;
  for (const { why, find, put, optional } of PATCHES) {
    const next = patched.replace(find, put);
    if (next === patched && optional !== true) throw changed(`nothing to patch for this reason: ${why}`);
    patched = next;
  }
  return withoutUnusedWrappers(patched);
}

/**
 * For imports that may suspend, glue compiles a little module of its own at once, whether or not any import is of that kind; with
 * calls that do not suspend, none is. Where one is in use, it stays, and {@link requirePortable} says so.
 */
function withoutUnusedWrappers(source: string): string {
  const wrappers =
    /const (_conditionalSuspending\w+)Module = new WebAssembly\.Module\([^;]*\);\s*function \1\(fast, slow\) \{[^;]*\.exports\.run;\s*\}/gu;
  return source.replace(wrappers, (whole, name: string) => {
    const uses = source.split(new RegExp(`\\b${name}\\b`, "u")).length - 1;
    return uses === 1 ? "" : whole;
  });
}

/**
 * Holds glue to what every runtime allows. Meant for what is written in the end, comments gone and unused code too.
 * @throws FlowError `unsupported`
 */
export function requirePortable(code: string): void {
  for (const [what, pattern] of FORBIDDEN) if (pattern.test(code)) throw changed(`it still contains ${what} (${pattern})`);
}

function changed(how: string): FlowError {
  return new FlowError("unsupported", `jco's glue has changed: ${how}`);
}
