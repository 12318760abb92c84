/** The checks that every description has in common once its shapes and its roots' references are right. */
import { Crossing, type CrossingRoot } from "./crossing.ts";
import { checkExpansion } from "./expansion.ts";
import { checkConnected, checkTemplates } from "./graph.ts";
import { checkInhabited } from "./inhabited.ts";
import type { ReadDeclarations } from "./shape.ts";
import type { Parameter, Term } from "./terms.ts";
import { Usage } from "./usage.ts";
import { reachable } from "./walk.ts";

/**
 * What is asked of the templates, of their being reached, and of the roots that hold values.
 * @param at The pointer of the declarations map.
 * @param roots Every root, those that may name any term included.
 * @param values The roots in which values travel.
 * @throws FlowError with a code of R35's second list.
 */
export function checkGraph(
  at: string,
  read: ReadDeclarations,
  roots: readonly { readonly type: Term }[],
  values: readonly CrossingRoot[],
): void {
  const { declarations } = read;
  checkTemplates(at, read);
  const reached = reachable(
    roots.map((root) => root.type),
    declarations,
  );
  checkConnected(at, declarations, reached);
  checkInhabited(at, declarations);
  checkExpansion(at, declarations);
  new Crossing(declarations, at, new Usage(declarations)).check(values);
}

/** The value roots of a Tool, placed below `at`. */
export function toolRoots(
  tool: { readonly params: readonly Parameter[]; readonly ok: Term; readonly err: Term },
  at: string,
): CrossingRoot[] {
  return [
    ...tool.params.map(({ type }, i): CrossingRoot => ({ at: `${at}/params/${i}/type`, type, role: "parameter" })),
    { at: `${at}/ok`, type: tool.ok, role: "reply" },
    { at: `${at}/err`, type: tool.err, role: "reply" },
  ];
}
