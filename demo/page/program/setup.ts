/** What a run gets: the Tools as they were read, and what is bound to each. */
import type { ToolEntry } from "flow-host";
import type { Fault, Setup, ToolSetup } from "../../runner/messages.ts";
import { shortName } from "../notation.ts";
import { javascriptOf } from "./javascript.ts";
import { type Bound, NEW_FUNCTION, type Project } from "./project.ts";
import type { Reading } from "./reading.ts";

/** What answers a Tool that nobody has chosen anything for is a function. */
export function boundOf({ bound }: Project, name: string): Bound {
  return bound[name] ?? { kind: "function" };
}

/**
 * @param only One Tool, where nothing else is to be bound.
 * @throws TypeScriptFault where a function cannot be read
 */
export async function setupOf({ program, text }: Reading, project: Project, only?: string): Promise<Setup> {
  const tools = program.tools.filter(({ tool }) => only === undefined || tool === only);
  const bindings: Record<string, ToolSetup> = {};
  for (const { tool } of tools) {
    const name = shortName(tool);
    const bound = boundOf(project, name);
    const written = bound.kind === "function" || bound.kind === "worker";
    bindings[tool] = written ? { ...bound, source: await javascriptOf(`${name}.ts`, project.functions[name] ?? NEW_FUNCTION) } : bound;
  }
  return { tools: text, bindings };
}

/** What Tools are made to do wrong, by identity. */
export function faultsOf(tools: readonly ToolEntry[], project: Project): ReadonlyMap<string, Fault> {
  return new Map(
    tools.flatMap(({ tool }) => {
      const { fault } = boundOf(project, shortName(tool));
      return fault === undefined ? [] : [[tool, fault] as const];
    }),
  );
}
