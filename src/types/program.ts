/**
 * Several Tools over one map of declarations, as `flow tools` lists them. The map holds exactly the union of what the
 * Tools reach: another Tool's template is no extra. It is checked once; each Tool then takes its own part of it.
 */
import type { JsonValue } from "../json/value.ts";
import { toolRoots } from "./check.ts";
import { Crossing } from "./crossing.ts";
import { checkExpansion } from "./expansion.ts";
import { checkConnected, checkRoots, checkTemplates } from "./graph.ts";
import { checkInhabited } from "./inhabited.ts";
import { refusal } from "./refuse.ts";
import { BOUNDS, type ReadDeclarations, type Scope, ShapeReader } from "./shape.ts";
import type { Template, TypeSpec } from "./terms.ts";
import { Usage } from "./usage.ts";
import { reachable } from "./walk.ts";

/** The members of a listed Tool that describe its types, and where the Tool stands (`/tools/3`). */
export interface ToolRoots {
  readonly at: string;
  readonly generic: JsonValue;
  readonly params: JsonValue;
  readonly ok: JsonValue;
  readonly err: JsonValue;
}

/** A program-wide declarations map that has been checked, except for being reached as a whole. */
export class TypesMap {
  private readonly at: string;
  private readonly read: ReadDeclarations;
  private readonly crossing: Crossing;
  private readonly reached = new Set<string>();

  /**
   * @param json The map of local ids to templates.
   * @param at Its JSON Pointer, which every error in it starts with.
   * @throws FlowError with a code of R35's second list.
   */
  constructor(json: JsonValue, at: string) {
    const reader = new ShapeReader(at, false);
    this.at = at;
    this.read = reader.declarations(json);
    const { declarations } = this.read;
    checkTemplates(at, this.read);
    checkInhabited(at, declarations);
    checkExpansion(at, declarations);
    this.crossing = new Crossing(declarations, at, new Usage(declarations));
  }

  get declarations(): ReadonlyMap<string, Template> {
    return this.read.declarations;
  }

  /**
   * Joins one Tool's roots with the templates they reach into its TypeSpec.
   * @throws FlowError with a code of R35's second list; R24's bounds hold for each Tool's own description.
   */
  join(tool: ToolRoots): TypeSpec {
    const reader = new ShapeReader(tool.at);
    const { result, scope } = reader.scoped(() => ({
      generic: reader.within("generic", () => reader.generic(tool.generic)),
      params: reader.within("params", () => reader.parameters(tool.params, "parameter")),
      ok: reader.root(tool.ok, "ok"),
      err: reader.root(tool.err, "err"),
    }));
    const { declarations, scopes } = this.read;
    const roots = toolRoots(result, tool.at);
    checkRoots(roots, scope, result.generic.length, declarations);
    const ids = reachable(
      roots.map((root) => root.type),
      declarations,
    );
    checkBounds(tool.at, ids, scope.terms, scopes);
    this.crossing.check(roots);
    const own = new Map<string, Template>();
    for (const id of ids) {
      this.reached.add(id);
      own.set(id, declarations.get(id) as Template);
    }
    return { ...result, declarations: own };
  }

  /**
   * To be called once every Tool has been joined.
   * @throws FlowError `disconnected` for a template that no Tool reached.
   */
  requireReached(): void {
    checkConnected(this.at, this.read.declarations, this.reached);
  }
}

function checkBounds(at: string, ids: ReadonlySet<string>, rootTerms: number, scopes: ReadonlyMap<string, Scope>): void {
  if (ids.size > BOUNDS.templates) {
    throw refusal("bounds", at, `a Tool that reaches at most ${BOUNDS.templates} templates`, `${ids.size}`);
  }
  let terms = rootTerms;
  for (const id of ids) terms += scopes.get(id)?.terms ?? 0;
  if (terms > BOUNDS.terms) throw refusal("bounds", at, `a Tool of at most ${BOUNDS.terms} terms`, `${terms}`);
}

/**
 * Reads several Tools against one map.
 * @param tools Each Tool's roots, with its own pointer.
 * @param types The shared map, and its pointer.
 * @returns One TypeSpec for each Tool, in order, each with exactly its own reachable templates.
 * @throws FlowError with a code of R35's second list.
 */
export function readProgramTypes(tools: readonly ToolRoots[], types: JsonValue, at = "/types"): TypeSpec[] {
  const map = new TypesMap(types, at);
  const specs = tools.map((tool) => map.join(tool));
  map.requireReached();
  return specs;
}
