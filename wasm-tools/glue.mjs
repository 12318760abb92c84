/**
 * Makes jco's glue portable and exact. Each patch must find what it replaces and the result is checked, so that a new jco that writes
 * its glue another way fails the build instead of bringing back what was removed.
 */
import { transform } from "esbuild";

const PATCHES = [
  {
    why: "Text that is not UTF-8 is an error, not U+FFFD, and a leading U+FEFF is a character like any other.",
    find: /new TextDecoder\(\)/gu,
    put: 'new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })',
  },
  {
    why: "The caller always gives the core modules. A fallback that fetches them is dead code that bundlers follow.",
    find: /const fetchCompile = [^\n]*\n|if \(!getCoreModule\) getCoreModule = [^\n]*\n/gu,
    put: "",
  },
  {
    why: "The debug log reads the environment on every call. Without its definition its calls are of a global, which esbuild can drop.",
    find: /const _debugLog = \(\.\.\.args\) => \{[^}]*\}[^}]*\};/gu,
    put: "",
  },
];

/** What must not be left: each breaks a runtime (Deno, workerd, a page with a content policy) or hides bad text. */
const FORBIDDEN = [
  ["process", /\bprocess\b/u],
  ["the debug log", /\b_debugLog\b/u],
  ["a Node built-in", /\bnode:|\brequire\s*\(|\bBuffer\b/u],
  ["code from strings", /\beval\s*\(|\bnew\s+Function\b/u],
  ["a module of its own making", /\bimport\s*\(|\bimport\.meta\b|\bfetch\s*\(|^import\b/mu],
  ["compiling", /\bWebAssembly\s*\.\s*(?:compile|Module)\b/u],
  ["lenient text decoding", /\bTextDecoder\((?!"utf-8",\{fatal:(?:true|!0),ignoreBOM:(?:true|!0)\}\))/u],
];

/**
 * Patches and minifies the glue of a component that was transpiled with `instantiation: "async"` and without Node compatibility.
 * @param {string} source
 * @returns {Promise<string>}
 * @throws Error if the glue is not of the form these patches were written for
 */
export async function portableGlue(source) {
  let patched = source;
  for (const { why, find, put } of PATCHES) {
    const next = patched.replace(find, put);
    if (next === patched) throw new Error(`jco's glue has changed: nothing to patch for this reason: ${why}`);
    patched = next;
  }
  const { code } = await transform(patched, {
    format: "esm",
    target: "es2022",
    charset: "ascii",
    minify: true,
    // Deno asks for a permission to read the environment.
    define: { "globalThis.process.env.JCO_DEBUG": "false", "process.env.JCO_DEBUG": "false" },
    pure: ["_debugLog"],
  });
  for (const [what, pattern] of FORBIDDEN) {
    if (pattern.test(code)) throw new Error(`jco's glue has changed: it still contains ${what} (${pattern})`);
  }
  return code;
}
