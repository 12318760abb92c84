/** Programs (R37): what a host is handed to run. */

import type { Limits } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import type { JsonValue } from "../json/value.ts";
import { readCallView } from "../signature/callview.ts";
import type { ToolEntry, ToolsDocument } from "../signature/tools.ts";
import { ViewCache } from "../signature/viewcache.ts";
import type { Declarations, Parameter } from "../types/terms.ts";
import type { Run } from "./run.ts";
import { CallTypes } from "./types.ts";

/** What a host runs (R37). */
export interface Program {
  /** The Tools it can reach: a `tools` output that was read. */
  readonly tools: ToolsDocument;
  /** The declared input parameters. None where absent. */
  readonly input?: readonly Parameter[];
  /** The templates the input's terms name, where they are not among those of the Tools. */
  readonly types?: Declarations;
  /** Makes the calls. What it returns or throws is the run's result. */
  run(run: Run, input: Readonly<Record<string, unknown>>): unknown;
}

/** One Tool of a program with the codecs of its types. */
export class ProgramTool {
  readonly entry: ToolEntry;
  private readonly limits: Limits;
  private compiled: CallTypes | undefined;
  private readonly bound = new ViewCache<CallTypes>();

  constructor(entry: ToolEntry, limits: Limits) {
    this.entry = entry;
    this.limits = limits;
  }

  get isGeneric(): boolean {
    return this.entry.spec.generic.length > 0;
  }

  /**
   * The codecs of one call.
   * @param views The call's views, canonical text, for a Tool that is generic.
   * @throws FlowError as `readCallView` does
   */
  typesOf(views: { readonly schema?: string | undefined; readonly types?: string | undefined }): CallTypes {
    const { spec } = this.entry;
    if (this.isGeneric) {
      return this.bound.get(views.schema, views.types, () => {
        const view = readCallView({ schema: parsed(views.schema, this.limits), types: parsed(views.types, this.limits) }, spec);
        return new CallTypes(view, view.declarations, this.limits);
      });
    }
    this.compiled ??= new CallTypes(spec, spec.declarations, this.limits);
    return this.compiled;
  }
}

function parsed(text: string | undefined, limits: Limits): JsonValue | undefined {
  return text === undefined ? undefined : parseJson(text, { ...limits, depth: Math.max(limits.depth, VIEW_DEPTH) });
}

/** Types views and schemas nest deeper than the values they describe (R24 allows terms of depth 128). */
const VIEW_DEPTH = 1_000;

/** The Tools of a program by identity. */
export function programTools(program: Program, limits: Limits): ReadonlyMap<string, ProgramTool> {
  return new Map(program.tools.tools.map((entry) => [entry.tool, new ProgramTool(entry, limits)]));
}

/** Where a run's input stands: already values, or a JSON text of the object by parameter name. */
export type Input = Readonly<Record<string, unknown>> | string | Uint8Array;

/**
 * A run's input, decoded strictly at the declared types, without host tokens or opaque values (R5, R14).
 * @param input JSON text of the object by parameter name; or the object of values, which is then written and decoded
 *   again, so that what an embedding application hands over is held to the same rules.
 * @returns The values, and their canonical text.
 * @throws FlowError with a code of R35 and the pointer into the input
 */
export function decodeInput(program: Program, input: Input, limits: Limits): { values: Readonly<Record<string, unknown>>; text: string } {
  const roots = { params: program.input ?? [], ok: "Unit", err: "Never" } as const;
  const types = new CallTypes(roots, program.types ?? program.tools.types, limits);
  const values = types.decodeArguments(typeof input === "string" || input instanceof Uint8Array ? input : types.encodeArguments(input));
  return { values, text: types.encodeArguments(values) };
}
