/** What the page and the Worker that transpiles say to each other. */

/** A component that a page can run: its glue, as a module's text, and its core modules by the names that the glue asks for. */
export interface Transpiled {
  readonly glue: string;
  readonly modules: Readonly<Record<string, WebAssembly.Module>>;
}

/** The Worker is handed the bytes of one component. */
export type TranspilerAnswer = { readonly ready: true } | { readonly done: Transpiled } | { readonly fault: string };
