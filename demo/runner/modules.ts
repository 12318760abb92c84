/** Modules that were written in the page, run from blob: addresses: no code is ever made of a string. */

/** `flow-host` as a module written in the page imports it: a file beside this one. */
const LIBRARY = new URL("library.js", import.meta.url).href;
/** Only in imports: at the end of a `from`, or alone. */
const IMPORT = /((?:^|[;}\s])(?:from|import)\s*)(["'])flow-host\2/g;

const loaded = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

/** @throws whatever the module throws while it loads */
export function loadModule(source: string): Promise<Readonly<Record<string, unknown>>> {
  let module = loaded.get(source);
  if (module === undefined) {
    module = importBlob(source);
    loaded.set(source, module);
  }
  return module;
}

/** @throws Error where a module has no default export that can be called */
export async function loadFunction<T extends (...args: never[]) => unknown>(source: string, what: string): Promise<T> {
  const { default: exported } = await loadModule(source);
  if (typeof exported !== "function") throw new Error(`${what} has no function as its default export`);
  return exported as T;
}

export function blobAddress(source: string): string {
  const text = source.replace(IMPORT, (_, before: string) => `${before}${JSON.stringify(LIBRARY)}`);
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

async function importBlob(source: string): Promise<Readonly<Record<string, unknown>>> {
  const address = blobAddress(source);
  try {
    return (await import(address)) as Readonly<Record<string, unknown>>;
  } finally {
    URL.revokeObjectURL(address);
  }
}
