/** The declarations of a program as a graph, and which fingerprints a change to them moves. */
import { canonicalText, type Declarations, type JsonObject, type JsonValue, type Template, type Term } from "flow-host";
import type { ReadProgram } from "flow-host/declarations";
import { toolName } from "../notation.ts";
import { termText } from "../shape.ts";
import type { Edge } from "./layout.ts";

export interface GraphNode {
  /** The identity of a Tool or a type. */
  readonly id: string;
  readonly kind: "tool" | Template["kind"];
  /** `ledger.Posting` */
  readonly title: string;
  /** One for each field, constructor or parameter. */
  readonly lines: readonly string[];
  readonly doc: string | null;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Edge[];
}

export function graphOf({ tools, types }: ReadProgram): Graph {
  const nodes: GraphNode[] = [];
  const edges = new Map<string, Edge>();
  const join = (from: string, terms: readonly Term[]): void => {
    for (const id of terms.flatMap(namedIn)) {
      const to = types.get(id)?.identity;
      if (to !== undefined) edges.set(`${from} ${to}`, { from, to });
    }
  };
  for (const { tool, doc, spec } of tools) {
    const { file, name } = toolName(tool);
    const text = (term: Term) => termText(term, spec.declarations);
    const params = spec.params.map(({ name: param, type }) => `${param}: ${text(type)}`);
    nodes.push({ id: tool, kind: "tool", title: `${file}.${name}`, lines: [...params, `→ ${text(spec.ok)}`, `! ${text(spec.err)}`], doc });
    join(tool, [...spec.params.map(({ type }) => type), spec.ok, spec.err]);
  }
  for (const template of types.values()) {
    const { identity, kind, doc } = template;
    const { file, name } = toolName(identity);
    const members = membersOf(template, types);
    nodes.push({ id: identity, kind, title: `${file}.${name}`, lines: members.map(({ line }) => line), doc });
    join(
      identity,
      members.flatMap(({ terms }) => terms),
    );
  }
  return { nodes, edges: [...edges.values()] };
}

function membersOf(template: Template, types: Declarations): readonly { readonly line: string; readonly terms: readonly Term[] }[] {
  const text = (term: Term) => termText(term, types);
  switch (template.kind) {
    case "record":
      return template.fields.map(({ name, type }) => ({ line: `${name}: ${text(type)}`, terms: [type] }));
    case "enum":
      return template.constructors.map(({ name, payload }) => {
        if (payload === null) return { line: name, terms: [] };
        if ("positional" in payload) return { line: `${name}(${payload.positional.map(text).join(", ")})`, terms: payload.positional };
        const named = payload.named.map((field) => `${field.name}: ${text(field.type)}`);
        return { line: `${name} { ${named.join(", ")} }`, terms: payload.named.map(({ type }) => type) };
      });
    default:
      return [];
  }
}

/** The declarations that a term names, its arguments included. */
function namedIn(term: Term): readonly string[] {
  if (typeof term === "string") return [];
  if ("Named" in term) return [term.Named.declaration, ...term.Named.args.flatMap(namedIn)];
  if ("Param" in term) return [];
  if ("Function" in term) return [...term.Function.params, term.Function.result].flatMap(namedIn);
  return Object.values(term as Readonly<Record<string, Term | readonly Term[]>>).flatMap((inner) =>
    [inner].flat().flatMap((part) => namedIn(part as Term)),
  );
}

export interface Moved {
  readonly tool: string;
  /** Undefined where the Tool is new, or gone. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Where the two signatures part, in words. */
  readonly why: readonly string[];
  readonly signatureBefore: string;
  readonly signatureAfter: string;
}

/** The Tools whose fingerprint is another one now, each with what in its signature moved it. */
export function movedFingerprints(before: ReadProgram, after: ReadProgram): readonly Moved[] {
  const names = [...new Set([...before.tools, ...after.tools].map(({ tool }) => tool))];
  return names.flatMap((tool) => {
    const [one, two] = [before, after].map(({ tools }) => tools.find((entry) => entry.tool === tool));
    if (one?.fingerprint === two?.fingerprint) return [];
    const why: string[] = [];
    if (one === undefined) why.push("the Tool is new");
    else if (two === undefined) why.push("the Tool is gone");
    else part(one.signature, two.signature, [], why);
    return [
      {
        tool,
        before: one?.fingerprint,
        after: two?.fingerprint,
        why,
        signatureBefore: pretty(one?.signature),
        signatureAfter: pretty(two?.signature),
      },
    ];
  });
}

/** So many places are told of one signature. */
const MOST_PLACES = 6;

function part(before: JsonValue | undefined, after: JsonValue | undefined, at: readonly string[], why: string[]): void {
  if (why.length >= MOST_PLACES) return;
  // Docs are stripped of what is hashed.
  if (at.at(-1) === "description" && (typeof before === "string" || typeof after === "string")) return;
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      part((before as JsonObject)[name], (after as JsonObject)[name], [...at, name], why);
    }
    return;
  }
  const [one, two] = [before, after].map((value) => (value === undefined ? undefined : short(canonicalText(value))));
  if (one === two) return;
  const place = at.map((segment) => segment.slice(segment.lastIndexOf("/") + 1)).join(" › ");
  why.push(one === undefined ? `${place}: ${two} is new` : two === undefined ? `${place}: ${one} is gone` : `${place}: ${one} → ${two}`);
}

function isTree(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === null);
}

function short(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 58)}…`;
}

function pretty(signature: JsonValue | undefined): string {
  return signature === undefined ? "" : JSON.stringify(JSON.parse(canonicalText(signature)), null, 2);
}
