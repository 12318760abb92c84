/** Reading a program: from the texts of its files to the `tools` output (R34), or to everything that is refused of it. */
import { isFlowError } from "../json/errors.ts";
import type { JsonObject } from "../json/value.ts";
import { fingerprintOf } from "../signature/signature.ts";
import { type ToolEntry, type ToolSource, writeTools } from "../signature/tools.ts";
import { BOUNDS } from "../types/shape.ts";
import type { Declarations, Template, Term } from "../types/terms.ts";
import { innerTerms, memberTerms, reachable } from "../types/walk.ts";
import { checkCrossing } from "./crossing.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { checkFinite } from "./finite.ts";
import { resolveNames, type ToolSymbol } from "./names.ts";
import { type LoadedProgram, loadProgram, type ProgramSource } from "./program.ts";
import { buildTerms, type TermProgram, type ToolTerms } from "./templates.ts";

/** A program without faults. */
export interface ReadProgram {
  /** The `tools` output as exact JSON; `canonicalText` writes it. */
  readonly document: JsonObject;
  /** Each Tool with its TypeSpec, signature and fingerprint, in the order of the output. */
  readonly tools: readonly ToolEntry[];
  /** What the Tools reach, by local id. */
  readonly types: Declarations;
  /** There are none. */
  readonly diagnostics?: undefined;
}

/** A program that was refused: everything that is wrong with it, in order of file and place. */
export interface RefusedProgram {
  /** Every fault that was found, in order of file and place. */
  readonly diagnostics: readonly Diagnostic[];
  /** There is none. */
  readonly document?: undefined;
  /** There are none. */
  readonly tools?: undefined;
  /** There are none. */
  readonly types?: undefined;
}

/**
 * All Tools of a program may come to this many terms, counted for each Tool anew since its signature holds them. It is
 * what one document may hold (R13): past it the output could be sent to nobody.
 */
const MAX_TERMS = 1_048_576;

/**
 * Reads the Flow declarations of a program (R32, R33).
 * @param program Repositories, each a name, one version and the texts of its files, and at most one local root.
 * @returns The `tools` output, or every diagnostic of the program. Nothing in a file makes it throw.
 * @throws FlowError `usage` (as a rejection) for texts or names that are no strings, or a platform without SHA-256.
 */
export async function readProgram(program: ProgramSource): Promise<ReadProgram | RefusedProgram> {
  const loaded = loadProgram(program);
  const terms = buildTerms(resolveNames(loaded));
  checkFinite(terms);
  checkCrossing(terms);
  let diagnostics = diagnosticsOf(loaded);
  if (diagnostics.length > 0) return { diagnostics };
  const sources = toolSources(terms);
  diagnostics = diagnosticsOf(loaded);
  if (diagnostics.length > 0) return { diagnostics };
  const document = await write(sources);
  if (document === undefined) return { diagnostics: diagnosticsOf(loaded) };
  const listed = document["tools"] as readonly JsonObject[];
  const tools: ToolEntry[] = [];
  for (const [i, { tool, doc, spec }] of sources.entries()) {
    const signature = listed[i]?.["signature"] as JsonObject;
    tools.push({ tool, doc, fingerprint: await fingerprintOf(spec), signature, spec });
  }
  const listedTypes = document["types"] as JsonObject;
  const types = new Map([...terms.declarations].filter(([id]) => Object.hasOwn(listedTypes, id)));
  return { document, tools, types };
}

function diagnosticsOf({ files, diagnostics }: LoadedProgram): Diagnostic[] {
  return [...diagnostics, ...files.flatMap(({ id, source, parsed }) => parsed.faults.diagnostics(id, source))];
}

interface Source extends ToolSource {
  readonly symbol: ToolSymbol;
}

/** Each Tool with what it reaches, the bounds of one description (R24) checked. */
function toolSources({ tools, declarations }: TermProgram): Source[] {
  const sizes = new Map<string, number>();
  for (const [id, template] of declarations) sizes.set(id, termCount(memberTerms(template)));
  let total = 0;
  const sources: Source[] = [];
  for (const tool of tools) {
    const roots = [...tool.params.map((param) => param.type), tool.ok, tool.err];
    const reached = reachable(roots, declarations);
    let terms = termCount(roots);
    for (const id of reached) terms += sizes.get(id) ?? 0;
    total += terms;
    if (reached.size > BOUNDS.templates)
      refuse(tool, `expected a Tool that reaches at most ${BOUNDS.templates} types (R24), met ${reached.size}`);
    if (terms > BOUNDS.terms) refuse(tool, `expected a Tool whose types hold at most ${BOUNDS.terms} terms (R24), met ${terms}`);
    if (total > MAX_TERMS) {
      refuse(
        tool,
        `expected Tools whose descriptions hold at most ${MAX_TERMS} terms together, met more from this one on; list fewer Tools`,
      );
      break;
    }
    // In the order of their numbers, as the output has them.
    const own = new Map<string, Template>();
    for (const id of reached) own.set(id, declarations.get(id) as Template);
    const { symbol, generic, params, ok, err } = tool;
    const spec = { generic, params, ok, err, declarations: own };
    sources.push({ tool: symbol.identity, doc: symbol.node.doc, spec, symbol });
  }
  return sources;
}

function termCount(terms: readonly Term[]): number {
  const open = [...terms];
  let count = 0;
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    count++;
    for (const inner of innerTerms(term)) open.push(inner);
  }
  return count;
}

/** The output; `undefined` where a Tool's signature is too large for any document, which is then its fault. */
async function write(sources: readonly Source[]): Promise<JsonObject | undefined> {
  let isWhole = true;
  for (const source of sources) {
    try {
      await fingerprintOf(source.spec);
    } catch (caught) {
      if (!isFlowError(caught) || caught.code === "usage") throw caught;
      isWhole = false;
      refuse(source, `expected a Tool whose schemas fit into a document, met one whose do not: ${caught.message}`);
    }
  }
  return isWhole ? writeTools(sources) : undefined;
}

function refuse({ symbol }: Pick<ToolTerms, "symbol">, message: string): void {
  const { name } = symbol.node;
  symbol.file.faults.add({ code: "bounds", start: name.start, end: name.end, message, about: name.text });
}
