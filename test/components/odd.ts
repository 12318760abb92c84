/** Components written by hand, each as odd as a test needs it: what no compiler would make, and what a broken Tool would do. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { componentEmbed, componentNew, parse } from "@bytecodealliance/jco";
import type { GetCoreModule, Instantiate } from "../../src/bindings/component.ts";
import { transpileComponent } from "../../wasm-tools/transpile.mjs";
import { WIT } from "../../wasm-tools/wrap.mjs";

export interface Served {
  readonly tool: string;
  readonly fingerprint: string;
  readonly signature: string;
}

export interface OddOptions {
  readonly data?: string;
  readonly served?: readonly Served[];
  /** WAT of more imports, before everything else. */
  readonly imports?: string;
  /** WAT run at the beginning of each describe. */
  readonly onDescribe?: string;
  /** Changes the text of the WIT file. */
  readonly wit?: (text: string) => string;
  /** The interface's name in the exports. */
  readonly name?: string;
  /** Pages of memory at its start, and at most. */
  readonly firstPages?: number;
  readonly pages?: number;
}

/** What the digit in the arguments `{"n":DIGIT}` makes a component do. */
export const DOES = {
  ok: 0,
  failed: 1,
  notRun: 2,
  unknown: 3,
  trap: 4,
  notUtf8: 5,
  notJson: 6,
  loop: 7,
  grow: 8,
  noCase: 9,
} as const;

/** Where it puts what: `answer` results at 16 + 16n, strings from 1024 on, what the host writes from 32768 on. */
const STRINGS = 1_024;
const HEAP = 32_768;

/** A component that does what {@link DOES} says. */
export async function oddComponent(options: OddOptions = {}): Promise<Uint8Array> {
  const { imports = "", onDescribe = "", wit = (text) => text, name = "flow:tool/tool@0.1.0" } = options;
  const binary = await parse(oddModule({ ...options, imports, onDescribe, name }));
  const witSource = wit(await readFile(WIT, "utf8"));
  return componentNew(await componentEmbed({ binary, witSource, world: "tool-component", stringEncoding: "utf8" }), []);
}

function oddModule({ data = "0.1", served = [], imports, onDescribe, name, firstPages = 1, pages = 8 }: OddOptions): string {
  const segments: string[] = [];
  let top = STRINGS;
  const place = (bytes: Uint8Array): [number, number] => {
    const at = top;
    segments.push(`(data (i32.const ${at}) "${[...bytes].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("")}")`);
    top += (bytes.length + 7) & ~7;
    return [at, bytes.length];
  };
  const text = (value: string): [number, number] => place(new TextEncoder().encode(value));
  const words = (...values: number[]): Uint8Array => new Uint8Array(new Uint32Array(values).buffer);
  const list = place(
    words(...served.flatMap(({ tool, fingerprint, signature }) => [text(tool), text(fingerprint), text(signature)].flat())),
  );
  const description = place(words(...text(data), list[0], served.length));
  const outcome = (which: number, [at, length]: [number, number]) => place(words(which, at, length))[0];
  const answers = [
    outcome(0, text("7")),
    outcome(1, text('"no"')),
    outcome(2, text("not now")),
    outcome(3, text("who knows")),
    0,
    outcome(0, place(Uint8Array.of(0x22, 0xff, 0x22))),
    outcome(0, text("{")),
    0,
    0,
    outcome(9, text("7")),
  ];
  const table = place(words(...answers))[0];
  return `(module ${imports}
    (memory (export "memory") ${firstPages} ${pages})
    ${segments.join("\n    ")}
    (global $top (mut i32) (i32.const ${HEAP}))
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "${name}#describe") (param i32 i32) (result i32) ${onDescribe} (i32.const ${description[0]}))
    (func (export "${name}#answer") (param i32 i32 i32 i32 i32 i32) (param $args i32) (param i32 i32 i32 i32 i32 i32 i32) (result i32)
      (local $does i32)
      (local.set $does (i32.sub (i32.load8_u (i32.add (local.get $args) (i32.const 5))) (i32.const 48)))
      (if (i32.eq (local.get $does) (i32.const ${DOES.trap})) (then unreachable))
      (if (i32.eq (local.get $does) (i32.const ${DOES.loop})) (then (loop $on (br $on))))
      (if (i32.eq (local.get $does) (i32.const ${DOES.grow}))
        (then (loop $on (br_if $on (i32.ge_s (memory.grow (i32.const 1)) (i32.const 0)))) unreachable))
      (i32.load (i32.add (i32.const ${table}) (i32.shl (local.get $does) (i32.const 2)))))
    (func $done (param i32) (global.set $top (i32.const ${HEAP})))
    (export "cabi_post_${name}#describe" (func $done))
    (export "cabi_post_${name}#answer" (func $done)))`;
}

/** A transpiled component that was loaded. */
export interface Loaded {
  readonly instantiate: Instantiate;
  readonly getCoreModule: GetCoreModule;
  /** Its core modules by name, compiled. */
  readonly modules: ReadonlyMap<string, WebAssembly.Module>;
}

/** Transpiles a component and loads it, through a directory that is removed again. */
export async function load(component: Uint8Array): Promise<Loaded> {
  const { files } = await transpileComponent(component, { name: "odd" });
  const directory = await mkdtemp(join(tmpdir(), "flow-odd-"));
  try {
    const place = join(directory, "odd.js");
    await writeFile(place, files.get("odd.js") as string);
    const { instantiate } = (await import(/* @vite-ignore */ pathToFileURL(place).href)) as { instantiate: Instantiate };
    const modules = new Map<string, WebAssembly.Module>();
    for (const [path, contents] of files) {
      if (path.endsWith(".wasm")) modules.set(path, await WebAssembly.compile(contents as Uint8Array<ArrayBuffer>));
    }
    return { instantiate, modules, getCoreModule: (path) => modules.get(path) as WebAssembly.Module };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
