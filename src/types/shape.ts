/**
 * The exact metadata shapes of *Type descriptions*: JSON in, terms and templates out. This file looks at one object
 * at a time; what the terms refer to is the business of `graph.ts`.
 *
 * The bounds of R24 are judged while reading, before the object at hand is built. They also keep the recursion over a
 * term shallow, so that no description can exhaust the stack, however it reached us.
 */
import { isWellFormed } from "../json/text.ts";
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { pointer, quoted, refusal } from "./refuse.ts";
import {
  type Constructor,
  type Field,
  type Parameter,
  type Payload,
  PRIMITIVES,
  type Primitive,
  type Template,
  type Term,
} from "./terms.ts";

/** What one description may hold (R24). */
export const BOUNDS: Readonly<Record<"templates" | "terms" | "depth", number>> = Object.freeze({
  templates: 4_096,
  terms: 65_536,
  depth: 128,
});

export type NamedTerm = Extract<Term, { readonly Named: unknown }>;
export type ParamTerm = Extract<Term, { readonly Param: unknown }>;

/** What the terms of one owner (the roots of a description, or one template) refer to, and how many they are. */
export interface Scope {
  readonly named: NamedTerm[];
  readonly params: ParamTerm[];
  terms: number;
}

/** A declarations map as read: every shape is right, no reference has been followed. */
export interface ReadDeclarations {
  readonly declarations: ReadonlyMap<string, Template>;
  readonly scopes: ReadonlyMap<string, Scope>;
}

const PRIMITIVE_NAMES: ReadonlySet<string> = new Set(PRIMITIVES);

const COMMON = ["name", "identity", "lexical_ordinal", "generic", "opaque", "kind", "doc"];
const RECORD = [...COMMON, "fields"];
const ENUM = [...COMMON, "constructors"];

/** Numbers past this are not told apart by JavaScript, and no file has that many declarations of one name. */
const MAX_ORDINAL = BigInt(Number.MAX_SAFE_INTEGER);

export class ShapeReader {
  /** The pointer of what is read, and the way from there to the value at hand. */
  private readonly at: string;
  private readonly path: (string | number)[] = [];
  private readonly maxTemplates: number;
  private readonly maxTerms: number;
  private terms = 0;
  private scope: Scope = newScope();

  /**
   * @param at The JSON Pointer of what is read, in front of the place of every fault.
   * @param bounded Whether all that is read is one description (R24); a program-wide map is bounded Tool by Tool instead.
   */
  constructor(at: string, bounded = true) {
    this.at = at;
    this.maxTemplates = bounded ? BOUNDS.templates : Number.POSITIVE_INFINITY;
    this.maxTerms = bounded ? BOUNDS.terms : Number.POSITIVE_INFINITY;
  }

  /** Refuses at the value at hand. */
  fail(code: string, expected: string, met = ""): never {
    throw refusal(code, this.here(), expected, met);
  }

  /** The pointer of the value at hand. */
  here(): string {
    return this.at + pointer(this.path);
  }

  /** Reads one member or item, with every fault inside it placed under `segment`. */
  within<T>(segment: string | number, read: () => T): T {
    this.path.push(segment);
    const result = read();
    this.path.pop();
    return result;
  }

  /** Everything that `read` reads belongs to the scope it comes with. */
  scoped<T>(read: () => T): { readonly result: T; readonly scope: Scope } {
    const outer = this.scope;
    const scope = newScope();
    this.scope = scope;
    const result = read();
    this.scope = outer;
    return { result, scope };
  }

  /** An object with exactly these members. */
  exact(value: JsonValue | undefined, members: readonly string[], what: string): JsonObject {
    const object = this.open(value, members, what);
    for (const name of Object.keys(object)) {
      if (!members.includes(name)) this.within(name, () => this.fail("member", `no other members in ${what} than ${members.join(", ")}`));
    }
    return object;
  }

  /** An object with at least these members. */
  open(value: JsonValue | undefined, members: readonly string[], what: string): JsonObject {
    if (!isJsonObject(value)) this.fail("shape", `${what}, an object`, describeJson(value));
    for (const name of members) {
      if (!Object.hasOwn(value, name)) this.fail("member", `the member ${name} in ${what}`);
    }
    return value;
  }

  list<T>(value: JsonValue | undefined, what: string, read: (item: JsonValue, index: number) => T): T[] {
    if (!Array.isArray(value)) this.fail("shape", `an array of ${what}`, describeJson(value));
    const items = value as readonly JsonValue[];
    const result: T[] = [];
    for (let i = 0; i < items.length; i++) result.push(this.within(i, () => read(items[i] as JsonValue, i)));
    return result;
  }

  text(value: JsonValue | undefined, what: string): string {
    if (typeof value !== "string") this.fail("shape", `${what}, a string`, describeJson(value));
    // Readers of JSON text never let one through; a value made in memory could carry one into keys and hashes.
    if (!isWellFormed(value)) this.fail("shape", `${what} of Unicode scalar values`, "a lone surrogate");
    return value;
  }

  doc(value: JsonValue | undefined): string | null {
    return value === null ? null : this.text(value, "a doc comment or null");
  }

  /** Type parameter names, unique within their owner. */
  generic(value: JsonValue | undefined): string[] {
    const seen = new Set<string>();
    return this.list(value, "type parameter names", (item) =>
      this.fresh(seen, this.text(item, "a type parameter's name"), "type parameter"),
    );
  }

  /** `[{"name", "type"}, ...]`: parameters or bindings, unique by name. */
  parameters(value: JsonValue | undefined, what: "parameter" | "binding"): Parameter[] {
    const seen = new Set<string>();
    return this.list(value, `${what}s`, (item) => {
      const object = this.exact(item, ["name", "type"], `a ${what}`);
      const name = this.within("name", () => this.fresh(seen, this.text(object["name"], `a ${what}'s name`), what));
      return { name, type: this.root(object["type"], "type") };
    });
  }

  /** The term that stands in a member. */
  root(value: JsonValue | undefined, member: string): Term {
    return this.within(member, () => this.term(value, 1));
  }

  /** A declarations map, each template in its own scope. */
  declarations(value: JsonValue | undefined): ReadDeclarations {
    if (!isJsonObject(value)) this.fail("shape", "declarations, an object of templates", describeJson(value));
    const ids = Object.keys(value);
    if (ids.length > this.maxTemplates) this.fail("bounds", `at most ${this.maxTemplates} templates in one description`, `${ids.length}`);
    const declarations = new Map<string, Template>();
    const scopes = new Map<string, Scope>();
    for (const id of ids) {
      const { result, scope } = this.within(id, () => {
        this.text(id, "a local id");
        return this.scoped(() => this.template(value[id]));
      });
      declarations.set(id, result);
      scopes.set(id, scope);
    }
    return { declarations, scopes };
  }

  private template(value: JsonValue | undefined): Template {
    const open = this.open(value, ["kind"], "a template");
    const kind = open["kind"];
    const isRecord = kind === "record";
    const isEnum = kind === "enum";
    if (!isRecord && !isEnum && kind !== "host" && kind !== "nondata") {
      this.within("kind", () => this.fail("shape", "a kind (record, enum, host or nondata)", describeJson(kind)));
    }
    const object = this.exact(value, isRecord ? RECORD : isEnum ? ENUM : COMMON, `a template of kind ${kind as string}`);
    const common = {
      name: this.within("name", () => this.text(object["name"], "a declaration's name")),
      identity: this.within("identity", () => this.text(object["identity"], "an identity")),
      lexical_ordinal: this.within("lexical_ordinal", () => this.ordinal(object["lexical_ordinal"])),
      generic: this.within("generic", () => this.generic(object["generic"])),
      opaque: this.within("opaque", () => this.flag(object["opaque"])),
      doc: this.within("doc", () => this.doc(object["doc"])),
    };
    if (isRecord) return { kind, ...common, fields: this.within("fields", () => this.fields(object["fields"])) };
    if (isEnum) return { kind, ...common, constructors: this.within("constructors", () => this.constructors(object["constructors"])) };
    return { kind: kind as "host" | "nondata", ...common };
  }

  private ordinal(value: JsonValue | undefined): number {
    if (typeof value !== "bigint" || value < 1n || value > MAX_ORDINAL) {
      this.fail("shape", "a lexical ordinal, a whole number of at least 1", describeJson(value));
    }
    return Number(value);
  }

  private flag(value: JsonValue | undefined): boolean {
    if (typeof value !== "boolean") this.fail("shape", "true or false", describeJson(value));
    return value;
  }

  private fields(value: JsonValue | undefined): Field[] {
    const seen = new Set<string>();
    return this.list(value, "fields", (item) => {
      const object = this.exact(item, ["name", "type", "doc"], "a field");
      return {
        name: this.within("name", () => this.fresh(seen, this.text(object["name"], "a field's name"), "field")),
        type: this.root(object["type"], "type"),
        doc: this.within("doc", () => this.doc(object["doc"])),
      };
    });
  }

  private constructors(value: JsonValue | undefined): Constructor[] {
    const seen = new Set<string>();
    return this.list(value, "constructors", (item) => {
      const object = this.exact(item, ["name", "doc", "payload"], "a constructor");
      return {
        name: this.within("name", () => this.fresh(seen, this.text(object["name"], "a constructor's name"), "constructor")),
        doc: this.within("doc", () => this.doc(object["doc"])),
        payload: this.within("payload", () => this.payload(object["payload"])),
      };
    });
  }

  private payload(value: JsonValue | undefined): Payload {
    if (value === null) return null;
    if (!isJsonObject(value)) this.fail("shape", "null or a payload object", describeJson(value));
    const names = Object.keys(value);
    const tag = names[0];
    if (names.length !== 1 || (tag !== "positional" && tag !== "named")) {
      this.fail(
        "member",
        "a payload of exactly one member, positional or named",
        names.length === 1 ? quoted(String(tag)) : `${names.length} members`,
      );
    }
    if (tag === "named") return { named: this.within(tag, () => this.fields(value[tag])) };
    return { positional: this.within(tag, () => this.list(value[tag], "terms", (item) => this.term(item, 1))) };
  }

  private term(value: JsonValue | undefined, depth: number): Term {
    if (depth > BOUNDS.depth) this.fail("bounds", `terms at most ${BOUNDS.depth} deep`);
    if (++this.terms > this.maxTerms) this.fail("bounds", `at most ${this.maxTerms} terms in one description`);
    this.scope.terms++;
    if (typeof value === "string" && PRIMITIVE_NAMES.has(value)) return value as Primitive;
    if (!isJsonObject(value)) this.fail("unknown-term", "a term", describeJson(value));
    const names = Object.keys(value);
    const tag = names[0];
    if (names.length !== 1 || tag === undefined) {
      this.fail("unknown-term", "a term with exactly one member", `${names.length} members`);
    }
    const inner = value[tag];
    switch (tag) {
      case "List":
        return { List: this.inner(inner, tag, depth) };
      case "Set":
        return { Set: this.inner(inner, tag, depth) };
      case "Option":
        return { Option: this.inner(inner, tag, depth) };
      case "Task":
        return { Task: this.inner(inner, tag, depth) };
      case "Dict":
        return { Dict: this.within(tag, () => this.pair(inner, depth)) };
      case "Tuple":
        return { Tuple: this.within(tag, () => this.tuple(inner, depth)) };
      case "Function":
        return { Function: this.within(tag, () => this.func(inner, depth)) };
      case "Named":
        return this.note(this.scope.named, { Named: this.within(tag, () => this.named(inner, depth)) });
      case "Param":
        return this.note(this.scope.params, { Param: this.within(tag, () => this.param(inner)) });
      default:
        return this.fail("unknown-term", "a term of a known form", `the member ${quoted(tag)}`);
    }
  }

  private inner(value: JsonValue | undefined, tag: string, depth: number): Term {
    return this.within(tag, () => this.term(value, depth + 1));
  }

  private pair(value: JsonValue | undefined, depth: number): readonly [Term, Term] {
    if (!Array.isArray(value) || value.length !== 2)
      this.fail("shape", "a Dict's key and value, an array of two terms", describeJson(value));
    return this.list(value, "terms", (item) => this.term(item, depth + 1)) as unknown as readonly [Term, Term];
  }

  private tuple(value: JsonValue | undefined, depth: number): readonly Term[] {
    if (!Array.isArray(value) || value.length < 2)
      this.fail("shape", "a Tuple's parts, an array of at least two terms", describeJson(value));
    return this.list(value, "terms", (item) => this.term(item, depth + 1));
  }

  private func(value: JsonValue | undefined, depth: number): { readonly params: readonly Term[]; readonly result: Term } {
    const object = this.exact(value, ["params", "result"], "a Function");
    return {
      params: this.within("params", () => this.list(object["params"], "terms", (item) => this.term(item, depth + 1))),
      result: this.within("result", () => this.term(object["result"], depth + 1)),
    };
  }

  private named(value: JsonValue | undefined, depth: number): NamedTerm["Named"] {
    const object = this.exact(value, ["declaration", "args"], "a Named term");
    return {
      declaration: this.within("declaration", () => this.text(object["declaration"], "a local id")),
      args: this.within("args", () => this.list(object["args"], "terms", (item) => this.term(item, depth + 1))),
    };
  }

  private param(value: JsonValue | undefined): ParamTerm["Param"] {
    const object = this.exact(value, ["owner", "index"], "a Param");
    const owner = this.within("owner", () => this.text(object["owner"], "an owner"));
    const index = object["index"];
    if (typeof index !== "bigint" || index < 0n) {
      this.within("index", () => this.fail("shape", "an index, a whole number of at least 0", describeJson(index)));
    }
    // An index that no double holds exactly is past every owner's parameters, which is said once owners are known.
    return { owner, index: Number(index) };
  }

  private note<T>(list: T[], term: T): T {
    list.push(term);
    return term;
  }

  /** Refuses a name that its scope already has. */
  private fresh(seen: Set<string>, name: string, what: string): string {
    if (seen.has(name)) this.fail("duplicate-name", `each ${what} name once`, `${quoted(name)} again`);
    seen.add(name);
    return name;
  }
}

function newScope(): Scope {
  return { named: [], params: [], terms: 0 };
}
