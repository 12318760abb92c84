/** Tools and programs for tests of the host, described as a `tools` output would. */
import { bindFunction, type ToolFunction } from "../../src/bindings/function.ts";
import type { Program } from "../../src/host/program.ts";
import type { Run } from "../../src/host/run.ts";
import { parseJson } from "../../src/json/read.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import { readTools, type ToolsDocument, toolsText } from "../../src/signature/tools.ts";
import { readTypeSpec } from "../../src/types/spec.ts";

/** The roots of a Tool as JSON; what is left out is `{}`, Int, and Text. */
export interface SpecParts {
  readonly generic?: readonly string[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly ok?: unknown;
  readonly err?: unknown;
  readonly declarations?: Readonly<Record<string, unknown>>;
}

export function specOf({ generic = [], params = {}, ok = "Int", err = "Text", declarations = {} }: SpecParts) {
  const list = Object.entries(params).map(([name, type]) => ({ name, type }));
  return readTypeSpec(parseJson(JSON.stringify({ generic, params: list, ok, err, declarations })));
}

/** A `tools` output of some Tools by identity. */
export async function toolsOf(specs: Readonly<Record<string, SpecParts>>): Promise<ToolsDocument> {
  return readTools(await toolsText(Object.entries(specs).map(([tool, parts]) => ({ tool, doc: null, spec: specOf(parts) }))));
}

/** A function for one Tool of a document. */
export function bound(tools: ToolsDocument, tool: string, implementation: ToolFunction, options = {}): Binding {
  const entry = tools.tools.find((candidate) => candidate.tool === tool);
  if (entry === undefined) throw new Error(`no ${tool}`);
  return bindFunction(entry, implementation, options);
}

export function program<T>(
  tools: ToolsDocument,
  run: (run: Run, input: Readonly<Record<string, unknown>>) => T,
  input: Program["input"] = [],
) {
  return { tools, run, input };
}

/** A promise with its ends outside. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** The error a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (caught) {
    return caught;
  }
  throw new Error("expected a rejection");
}
