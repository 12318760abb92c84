/** Descriptions for tests, in few words: terms, templates and TypeSpecs as the JSON that readers take. */
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { ShapeReader } from "../../src/types/shape.ts";
import { reachable } from "../../src/types/walk.ts";

export const named = (declaration: string, ...args: JsonValue[]): JsonObject => ({ Named: { declaration, args } });
export const param = (owner: string, index: number): JsonObject => ({ Param: { owner, index: BigInt(index) } });
export const list = (term: JsonValue): JsonObject => ({ List: term });
export const set = (term: JsonValue): JsonObject => ({ Set: term });
export const option = (term: JsonValue): JsonObject => ({ Option: term });
export const task = (term: JsonValue): JsonObject => ({ Task: term });
export const dict = (key: JsonValue, value: JsonValue): JsonObject => ({ Dict: [key, value] });
export const tuple = (...parts: JsonValue[]): JsonObject => ({ Tuple: parts });
export const func = (params: JsonValue[], result: JsonValue): JsonObject => ({ Function: { params, result } });

type Changes = Record<string, JsonValue>;

function template(name: string, kind: string, changes: Changes): Changes {
  return { name, identity: `r@1.0.0/m.flow.${name}`, lexical_ordinal: 1n, generic: [], opaque: false, kind, doc: null, ...changes };
}

/** A record whose fields are given by name. */
export function record(name: string, fields: Changes, changes: Changes = {}): Changes {
  const list = Object.entries(fields).map(([field, type]) => ({ name: field, type, doc: null }));
  return template(name, "record", { fields: list, ...changes });
}

/** An enum whose constructors are given by name: null, an array of parts, or an object of named parts. */
export function sum(name: string, constructors: Changes, changes: Changes = {}): Changes {
  const list = Object.entries(constructors).map(([tag, parts]) => ({ name: tag, doc: null, payload: payload(parts) }));
  return template(name, "enum", { constructors: list, ...changes });
}

function payload(parts: JsonValue): JsonValue {
  if (parts === null) return null;
  if (Array.isArray(parts)) return { positional: parts };
  return { named: Object.entries(parts as JsonObject).map(([name, type]) => ({ name, type, doc: null })) };
}

export const host = (name: string, changes: Changes = {}): Changes => template(name, "host", changes);
export const nondata = (name: string, changes: Changes = {}): Changes => template(name, "nondata", changes);

export interface SpecParts {
  readonly generic?: string[];
  /** Parameter types by name. */
  readonly params?: Changes;
  readonly ok?: JsonValue;
  readonly err?: JsonValue;
  readonly declarations?: Changes;
}

export function spec(parts: SpecParts = {}): Changes {
  return {
    generic: parts.generic ?? [],
    params: Object.entries(parts.params ?? {}).map(([name, type]) => ({ name, type })),
    ok: parts.ok ?? "Unit",
    err: parts.err ?? "Never",
    declarations: parts.declarations ?? {},
  };
}

/** A description without the templates that its roots do not reach. */
export function pruned(description: Changes): Changes {
  const reader = new ShapeReader("", false);
  const templates = reader.declarations(description["declarations"]).declarations;
  const roots = reader.parameters(description["params"], "parameter").map((parameter) => parameter.type);
  roots.push(reader.root(description["ok"], "ok"), reader.root(description["err"], "err"));
  const all = description["declarations"] as JsonObject;
  const declarations = Object.fromEntries([...reachable(roots, templates)].map((id) => [id, all[id] as JsonValue]));
  return { ...description, declarations };
}

/** A description that uses every shape there is, for tests that break one thing at a time. */
export function everyShape(): Changes {
  return spec({
    generic: ["T"],
    params: {
      all: tuple("Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never", "json.Value"),
      nest: list(set(option(dict("Text", tuple("Int", param("tool", 0)))))),
      ghost: named("ghost", func(["Int"], task("Text"))),
      page: named("page"),
    },
    ok: named("box", named("doc")),
    err: named("fault"),
    declarations: {
      doc: record("Doc", { id: "Text", next: option(named("doc")) }, { doc: "A document." }),
      box: record("Box", { item: param("box", 0) }, { generic: ["A"] }),
      ghost: record("Ghost", {}, { generic: ["P"] }),
      page: host("Page"),
      fault: sum("Fault", { None: null, Bad: ["Text", "Int"], Worse: { why: "Text" }, Empty: [] }),
    },
  });
}

/** The code of the FlowError that a function throws, or "valid". */
export function codeOf(run: () => unknown): string {
  return refusalOf(run)?.code ?? "valid";
}

/** The FlowError that a function throws. Anything else that it throws goes on. */
export function refusalOf(run: () => unknown): { readonly code: string; readonly at: unknown; readonly message: string } | undefined {
  try {
    run();
    return undefined;
  } catch (caught) {
    if ((caught as Error).name !== "FlowError") throw caught;
    return caught as { code: string; at: unknown; message: string };
  }
}
