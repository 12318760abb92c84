/**
 * The projection of a type to its JSON Schema, draft 2020-12 (*Schemas*, R17, R18).
 *
 * Schemas decide fingerprints, so the forms are exact. One {@link Projection} serves all roots of a description: an
 * instance of a declaration is projected once and stands in the `$defs` of every root whose `$ref`s reach it.
 */
import { DEEPEST_LIMIT, DEFAULT_LIMITS } from "../json/limits.ts";
import { emptyObject, type JsonObject, type JsonValue, jsonObject, type MutableJsonObject } from "../json/value.ts";
import { displayName } from "../types/display.ts";
import { refusal } from "../types/refuse.ts";
import { substitute } from "../types/substitute.ts";
import type { Declarations, Field, Payload, Primitive, Template, Term } from "../types/terms.ts";
import { type Instance, Names } from "./names.ts";

/** What a schema has beside its structure. */
export interface SchemaOptions {
  /** Whether doc comments become `description`. They do unless this is false. */
  readonly docs?: boolean;
  /** What stands for an identity in `$defs` keys: the identity itself unless given (R21 removes versions). */
  readonly identity?: (identity: string) => string;
  /** The Tool's type parameters, for terms that hold them: each becomes `{"$param": name}`. */
  readonly generic?: readonly string[];
  /** How many schema objects and member names may be written; by default as many as a document of R13 can hold. */
  readonly nodes?: number;
}

/**
 * What the schemas of one description may come to. The instances of a valid description are finitely many, but
 * `T<A>` holding `U<(A, A)>`, holding `V<(A, A)>`, and so on doubles with each declaration, so a short description can have a schema
 * of any size. What does not fit into one document of R13 could be sent to nobody.
 */
const MAX_NODES = DEFAULT_LIMITS.values;
const MAX_CHARACTERS = DEFAULT_LIMITS.bytes;
/** Of one schema, which stands a few levels deep in a signature. Every term of R24 fits: an Option takes four levels. */
const MAX_DEPTH = DEEPEST_LIMIT - 100;

/**
 * The schema of a type's encoding.
 * @param type A term of `declarations`; both as a reader of descriptions gave them.
 * @param at The term's JSON Pointer, for errors.
 * @throws FlowError `crossing` for a Function, Task or nondata in a value position, `conflict` where two types would
 *   share a key, `bounds` for a schema too large for any document.
 */
export function schemaOf(type: Term, declarations: Declarations, options: SchemaOptions = {}, at = ""): JsonObject {
  return new Projection(declarations, options).root(type, at);
}

const EMPTY = emptyObject() as JsonObject;

const PRIMITIVE_SCHEMAS: Readonly<Record<Primitive, JsonObject>> = {
  Int: jsonObject({ type: "integer" }),
  Decimal: jsonObject({ type: "number" }),
  Bool: jsonObject({ type: "boolean" }),
  Text: jsonObject({ type: "string" }),
  Bytes: jsonObject({ type: "string", contentEncoding: "base64" }),
  Duration: jsonObject({ type: "string", format: "duration" }),
  Instant: jsonObject({ type: "string", format: "date-time" }),
  Unit: jsonObject({ type: "array", maxItems: 0n }),
  Never: jsonObject({ not: EMPTY }),
  "json.Value": EMPTY,
};

/** What the Params of a body stand for. */
interface Env {
  readonly owner: string;
  readonly args: readonly Term[];
}

/** The projected body of an instance, and the instances that its `$ref`s name. */
interface Body {
  readonly schema: JsonObject;
  readonly refs: ReadonlySet<Instance>;
  /** Its share of the budget, which it takes again in each root. */
  readonly nodes: number;
  readonly characters: number;
}

/** Schemas of several roots of one description under the same options. */
export class Projection {
  private readonly declarations: Declarations;
  private readonly docs: boolean;
  private readonly generic: readonly string[];
  private readonly names: Names;
  private readonly bodies = new Map<Instance, Body>();
  private readonly maxNodes: number;
  private nodes = 0;
  private characters = 0;
  private refs = new Set<Instance>();
  private at = "";

  constructor(declarations: Declarations, options: SchemaOptions = {}) {
    this.declarations = declarations;
    this.docs = options.docs !== false;
    this.generic = options.generic ?? [];
    this.maxNodes = Math.min(options.nodes ?? MAX_NODES, MAX_NODES);
    this.names = new Names(declarations, options.identity ?? ((identity) => identity), this.generic);
  }

  /**
   * The schema of one root, with its own `$defs`.
   * @param at The root's JSON Pointer, for errors.
   * @throws FlowError as {@link schemaOf} does.
   */
  root(type: Term, at = ""): JsonObject {
    this.at = at;
    // A key depends on what its root reaches where identities repeat (R18); bodies hold keys and are then made anew.
    if (this.names.enter(type, at)) this.bodies.clear();
    this.refs = new Set();
    const schema = this.term(type, undefined, 1);
    // A Set is walked in insertion order, entries added on the way included: it is its own queue.
    const reached = new Set(this.refs);
    if (reached.size === 0) return schema;
    const defs = emptyObject();
    for (const instance of reached) {
      const body = this.body(instance);
      defs[instance.key] = body.schema;
      this.count(1, instance.key.length);
      for (const next of body.refs) reached.add(next);
    }
    return extended(schema, "$defs", defs);
  }

  private body(instance: Instance): Body {
    const known = this.bodies.get(instance);
    if (known !== undefined) {
      this.count(known.nodes, known.characters);
      return known;
    }
    const { nodes, characters } = this;
    this.refs = new Set();
    const template = this.declarations.get(instance.id) as Template;
    const schema = this.documented(this.template(template, { owner: instance.id, args: instance.args }), template.doc);
    const body = { schema, refs: this.refs, nodes: this.nodes - nodes, characters: this.characters - characters };
    this.bodies.set(instance, body);
    return body;
  }

  /** A body stands at depth 3: below the root and its `$defs`. */
  private template(template: Template, env: Env): JsonObject {
    if (template.kind === "host") return EMPTY;
    if (template.kind === "record") return this.record(template.fields, env, 3);
    if (template.kind !== "enum")
      throw refusal("crossing", this.at, "a type that has values", `${displayName(template)}, which is no data`);
    const branches = template.constructors.map(({ name, payload, doc }) => {
      if (payload === null) return this.documented(this.node({ const: name }, 5, name), doc);
      return this.documented(this.tagged(name, this.payload(payload, env, 7), 5), doc);
    });
    return branches.length === 0 ? PRIMITIVE_SCHEMAS.Never : this.node({ oneOf: branches }, 3);
  }

  private payload(payload: Exclude<Payload, null>, env: Env, depth: number): JsonObject {
    if ("named" in payload) return this.record(payload.named, env, depth);
    const { positional } = payload;
    const [first] = positional;
    if (first === undefined) return PRIMITIVE_SCHEMAS.Unit;
    return positional.length === 1 ? this.term(first, env, depth) : this.tuple(positional, env, depth);
  }

  private record(fields: readonly Field[], env: Env, depth: number): JsonObject {
    const properties = emptyObject();
    const required: string[] = [];
    for (const { name, type, doc } of fields) {
      const [optional, inner, innerEnv] = optionField(type, env);
      if (!optional) required.push(name);
      properties[name] = this.documented(this.term(inner, innerEnv, depth + 2), doc);
      this.count(1, name.length);
    }
    return this.node(required.length === 0 ? { type: "object", properties } : { type: "object", properties, required }, depth);
  }

  /** The schema of a term. Recursion is as deep as the schema, which is bounded. */
  private term(term: Term, env: Env | undefined, depth: number): JsonObject {
    if (depth > MAX_DEPTH) throw refusal("bounds", this.at, `a schema at most ${MAX_DEPTH} deep`);
    if (typeof term === "string") return this.node(PRIMITIVE_SCHEMAS[term], depth);
    if ("Named" in term) return this.reference(term.Named.declaration, term.Named.args, env);
    if ("Param" in term) {
      // An argument is closed: what Params it holds are the Tool's, whose owner may share its spelling with a local id.
      if (env !== undefined) return this.term(env.args[term.Param.index] as Term, undefined, depth);
      return this.node({ $param: this.generic[term.Param.index] ?? this.missingName(term.Param.index) }, depth);
    }
    if ("List" in term) return this.node({ type: "array", items: this.term(term.List, env, depth + 1) }, depth);
    if ("Set" in term) return this.node({ type: "array", items: this.term(term.Set, env, depth + 1), uniqueItems: true }, depth);
    if ("Tuple" in term) return this.tuple(term.Tuple, env, depth);
    if ("Dict" in term) return this.dict(term.Dict, env, depth);
    if ("Option" in term) return this.option(term.Option, env, depth);
    throw refusal("crossing", this.at, "a type that has values", "Function" in term ? "a function" : "a Task");
  }

  private tuple(parts: readonly Term[], env: Env | undefined, depth: number): JsonObject {
    const prefixItems = parts.map((part) => this.term(part, env, depth + 2));
    return this.node({ type: "array", prefixItems, items: false, minItems: BigInt(parts.length) }, depth);
  }

  private dict(dict: readonly [Term, Term], env: Env | undefined, depth: number): JsonObject {
    const [key, value] = dict;
    // Text as the argument of a declaration's parameter counts; a Tool's own parameter is not known to be Text.
    const isText = key === "Text" || (typeof key !== "string" && "Param" in key && env?.args[key.Param.index] === "Text");
    if (isText) return this.node({ type: "object", additionalProperties: this.term(value, env, depth + 1) }, depth);
    return this.node({ type: "array", items: this.tuple(dict, env, depth + 1) }, depth);
  }

  private option(inner: Term, env: Env | undefined, depth: number): JsonObject {
    const none = this.node({ const: "None" }, depth + 2);
    return this.node({ oneOf: [none, this.tagged("Some", this.term(inner, env, depth + 4), depth + 2)] }, depth);
  }

  /** An object of the one property `name`, as every constructor with a payload is. */
  private tagged(name: string, payload: JsonObject, depth: number): JsonObject {
    const properties = emptyObject();
    properties[name] = payload;
    return this.node({ type: "object", properties, required: [name], additionalProperties: false }, depth, name);
  }

  private reference(id: string, args: readonly Term[], env: Env | undefined): JsonObject {
    const closed = env === undefined || args.length === 0 ? args : args.map((arg) => substitute(arg, env.owner, env.args));
    const instance = this.names.instance(id, closed);
    this.refs.add(instance);
    this.count(1, instance.ref.length);
    return jsonObject({ $ref: instance.ref });
  }

  private documented(schema: JsonObject, doc: string | null): JsonObject {
    if (doc === null || !this.docs) return schema;
    this.count(1, doc.length);
    return extended(schema, "description", doc);
  }

  private node(members: Readonly<Record<string, JsonValue>>, depth: number, name = ""): JsonObject {
    if (depth > MAX_DEPTH) throw refusal("bounds", this.at, `a schema at most ${MAX_DEPTH} deep`);
    this.count(1, name.length);
    return members === EMPTY ? EMPTY : jsonObject(members);
  }

  private missingName(index: number): never {
    throw refusal(
      "free-param",
      this.at,
      "a concrete term, or a name for each of its type parameters",
      `parameter ${index + 1} without one`,
    );
  }

  private count(nodes: number, characters: number): void {
    this.nodes += nodes;
    this.characters += characters;
    if (this.nodes > this.maxNodes || this.characters > MAX_CHARACTERS) {
      throw refusal(
        "bounds",
        this.at,
        `schemas of at most ${this.maxNodes} values and ${MAX_CHARACTERS} characters`,
        "types whose instances are more",
      );
    }
  }
}

/** Whether a field is left out for None, the type its schema is of, and where that type's Params are bound (R4, R17). */
function optionField(type: Term, env: Env): readonly [optional: boolean, inner: Term, env: Env | undefined] {
  if (typeof type === "string") return [false, type, env];
  if ("Option" in type) return [true, type.Option, env];
  if (!("Param" in type)) return [false, type, env];
  // What counts is the type after substitution.
  const argument = env.args[type.Param.index] as Term;
  const optional = typeof argument !== "string" && "Option" in argument;
  return optional ? [true, argument.Option, undefined] : [false, argument, undefined];
}

function extended(schema: JsonObject, name: string, value: JsonValue): JsonObject {
  const copy: MutableJsonObject = Object.assign(emptyObject(), schema);
  copy[name] = value;
  return copy;
}
