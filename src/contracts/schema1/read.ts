/**
 * Reading a Schema/1 schema: the closed list of keywords, the shape of each, references and limits, all before
 * anything is evaluated. One reader serves a schema file and the embedded schemas of a descriptor, which share their
 * definitions and count together.
 */
import { childPointer } from "../../json/pointer.ts";
import type { Faults } from "../codes.ts";
import { isDefinitionName } from "../identity.ts";
import { isObject, type Json1Object, type Json1Value } from "../model.ts";
import { describeValue } from "./describe.ts";
import { type Scalar, SchemaNode, TYPE_BITS } from "./node.ts";
import { planMemory } from "./plan.ts";

/** What a Schema/1 schema may hold, inclusive: bytes of its text, depth and number of schema nodes. */
export const SCHEMA_LIMITS: Readonly<{ bytes: number; depth: number; nodes: number; definitions: number }> = Object.freeze({
  bytes: 262_144,
  depth: 64,
  nodes: 4_096,
  /** In a descriptor (*Descriptor*); in a schema file the limit on nodes bounds them. */
  definitions: 1_024,
});

/** The identifier at the root of every schema file. */
export const SCHEMA1_ID = "https://flow.jig.md/schemas/schema-1.json";

const REFERENCE = "#/$defs/";

/** Thrown where a structure limit is passed: what lies beyond is not looked at. The fault has been told. */
class PastLimit {}

/** Reads schemas that share definitions into nodes, and tells their faults. */
export class SchemaReader {
  private readonly faults: Faults;
  private readonly definitions = new Map<string, SchemaNode>();
  private readonly references: { from: SchemaNode; name: string; at: string; owner: string | undefined }[] = [];
  private nodes = 0;
  /** The definition that is being read. */
  private owner: string | undefined;
  private stopped = false;

  constructor(faults: Faults) {
    this.faults = faults;
  }

  /** A schema file, whose root is an object with the identifier of Schema/1. */
  file(root: Json1Value): SchemaNode | undefined {
    if (!isObject(root)) {
      this.fault("", `expected an object as the root of a schema file, met ${describeValue(root)}`);
      return undefined;
    }
    if (root["$schema"] !== SCHEMA1_ID) {
      this.fault("/$schema", `expected "$schema": "${SCHEMA1_ID}" at the root of a schema file`);
    }
    let node: SchemaNode | undefined;
    this.bounded(() => {
      node = this.node(root, "", 1, true);
    });
    return node;
  }

  /** The `$defs` of a descriptor, whose names its reader judges; each definition is the root of an embedded schema. */
  embeddedDefinitions(definitions: Json1Object, pointer: string): void {
    this.bounded(() => this.readDefinitions(definitions, pointer, 1));
  }

  /** An embedded schema of a descriptor: an object or a boolean, without `$schema` and `$defs` of its own. */
  embedded(schema: Json1Value, pointer: string): SchemaNode | undefined {
    let node: SchemaNode | undefined;
    this.bounded(() => {
      node = this.node(schema, pointer, 1, false);
    });
    return node;
  }

  /** Resolves the references, refuses cycles and measures the graph. To be called once, after everything was read. */
  finish(roots: readonly SchemaNode[]): void {
    if (this.stopped) return;
    const edges = new Map<string, { name: string; at: string }[]>();
    for (const { from, name, at, owner } of this.references) {
      const target = this.definitions.get(name);
      if (target === undefined) {
        this.faults.add("SCHEMA_REFERENCE_INVALID", `there is no definition named ${JSON.stringify(name)}`, at);
        continue;
      }
      from.ref = target;
      if (owner === undefined) continue;
      const list = edges.get(owner);
      if (list === undefined) edges.set(owner, [{ name, at }]);
      else list.push({ name, at });
    }
    const order = this.inOrder(edges);
    if (this.faults.some || order === undefined) return;
    const tops = [...order.map((name) => this.definitions.get(name) as SchemaNode), ...roots];
    for (const top of tops) measure(top);
    planMemory(tops, roots);
  }

  /** The definitions, each behind those it refers to; `undefined`, and a fault, where references go in a circle. */
  private inOrder(edges: ReadonlyMap<string, readonly { name: string; at: string }[]>): string[] | undefined {
    const order: string[] = [];
    const state = new Map<string, "open" | "done">();
    for (const start of this.definitions.keys()) {
      if (state.has(start)) continue;
      // With a stack of its own: a chain of definitions may be as long as there are nodes.
      const stack = [{ name: start, next: 0 }];
      state.set(start, "open");
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const edge = edges.get(top.name)?.[top.next++];
        if (edge === undefined) {
          state.set(top.name, "done");
          order.push(top.name);
          stack.pop();
        } else if (state.get(edge.name) === "open") {
          this.faults.add("SCHEMA_REFERENCE_INVALID", `the definition ${JSON.stringify(edge.name)} refers to itself`, edge.at);
          return undefined;
        } else if (!state.has(edge.name) && this.definitions.has(edge.name)) {
          state.set(edge.name, "open");
          stack.push({ name: edge.name, next: 0 });
        }
      }
    }
    return order;
  }

  private bounded(read: () => void): void {
    if (this.stopped) return;
    try {
      read();
    } catch (caught) {
      if (!(caught instanceof PastLimit)) throw caught;
      this.stopped = true;
    }
  }

  private fault(at: string, message: string): void {
    this.faults.add("SCHEMA_INVALID", message, at);
  }

  private node(schema: Json1Value, pointer: string, depth: number, isFile: boolean): SchemaNode {
    if (depth > SCHEMA_LIMITS.depth) this.pastLimit(`schemas nested at most ${SCHEMA_LIMITS.depth} deep`, pointer);
    if (this.nodes === SCHEMA_LIMITS.nodes) this.pastLimit(`at most ${SCHEMA_LIMITS.nodes} schema nodes`, pointer);
    const index = this.nodes++;
    if (typeof schema === "boolean") return new SchemaNode(index, pointer, schema);
    const node = new SchemaNode(index, pointer);
    if (!isObject(schema)) {
      this.fault(pointer, `expected a schema (an object or a boolean), met ${describeValue(schema)}`);
      return node;
    }
    for (const keyword of Object.keys(schema)) {
      this.keyword(node, keyword, schema[keyword] as Json1Value, childPointer(pointer, keyword), depth, isFile);
    }
    return node;
  }

  private pastLimit(expected: string, at: string): never {
    this.faults.add("SCHEMA_LIMIT_EXCEEDED", `expected ${expected}`, at);
    throw new PastLimit();
  }

  private keyword(node: SchemaNode, keyword: string, value: Json1Value, at: string, depth: number, isFile: boolean): void {
    switch (keyword) {
      case "$schema":
        if (!isFile) this.fault(at, '"$schema" stands at the root of a schema file only');
        return;
      case "$defs":
        if (!isFile) this.fault(at, '"$defs" stands at the root only');
        else if (!isObject(value)) this.fault(at, `expected an object of definitions, met ${describeValue(value)}`);
        else this.fileDefinitions(value, at, depth + 1);
        return;
      case "$ref":
        this.reference(node, value, at);
        return;
      case "$comment":
      case "title":
      case "description":
        if (typeof value !== "string") this.fault(at, `expected a string, met ${describeValue(value)}`);
        return;
      case "examples":
        if (!Array.isArray(value)) this.fault(at, `expected an array, met ${describeValue(value)}`);
        return;
      case "type":
        node.types = this.typeNames(value, at);
        return;
      case "const":
        if (isScalar(value)) node.const = { value };
        else this.fault(at, `expected null, a boolean, a number or a string, met ${describeValue(value)}`);
        return;
      case "enum":
        if (Array.isArray(value) && value.every(isScalar)) node.enum = value;
        else this.fault(at, `expected an array of nulls, booleans, numbers and strings, met ${describeValue(value)}`);
        return;
      case "allOf":
      case "anyOf":
      case "oneOf":
      case "prefixItems":
        node[keyword] = this.schemaList(value, at, depth);
        return;
      case "not":
      case "if":
      case "then":
      case "else":
      case "additionalProperties":
      case "items":
      case "contains":
        node[keyword] = this.node(value, at, depth + 1, false);
        return;
      case "properties":
      case "dependentSchemas":
        node[keyword] = this.schemaMap(value, at, depth);
        return;
      case "required":
        node.required = this.distinctStrings(value, at);
        return;
      case "dependentRequired":
        node.dependentRequired = this.dependencies(value, at);
        return;
      case "minProperties":
      case "maxProperties":
      case "minItems":
      case "maxItems":
      case "minContains":
      case "maxContains":
      case "minLength":
      case "maxLength":
        if (typeof value === "number" && Number.isInteger(value) && value >= 0) node[keyword] = value;
        else this.fault(at, `expected a whole number of at least 0, met ${describeValue(value)}`);
        return;
      case "minimum":
      case "exclusiveMinimum":
      case "maximum":
      case "exclusiveMaximum":
        if (typeof value === "number") node[keyword] = value;
        else this.fault(at, `expected a number, met ${describeValue(value)}`);
        return;
      default:
        this.faults.add("SCHEMA_KEYWORD_UNSUPPORTED", `${JSON.stringify(keyword)} is no keyword of Schema/1`, at);
    }
  }

  private fileDefinitions(definitions: Json1Object, pointer: string, depth: number): void {
    for (const name of Object.keys(definitions)) {
      if (isDefinitionName(name)) continue;
      const expected = "expected a definition name of 1 to 64 letters and digits that begins with a letter";
      this.fault(childPointer(pointer, name), `${expected}, met ${describeValue(name)}`);
    }
    this.readDefinitions(definitions, pointer, depth);
  }

  private readDefinitions(definitions: Json1Object, pointer: string, depth: number): void {
    for (const name of Object.keys(definitions)) {
      const at = childPointer(pointer, name);
      this.owner = name;
      this.definitions.set(name, this.node(definitions[name] as Json1Value, at, depth, false));
      this.owner = undefined;
    }
  }

  private reference(node: SchemaNode, value: Json1Value, at: string): void {
    if (typeof value !== "string") {
      this.fault(at, `expected a string, met ${describeValue(value)}`);
    } else if (!value.startsWith(REFERENCE) || !isDefinitionName(value.slice(REFERENCE.length))) {
      this.faults.add("SCHEMA_REFERENCE_INVALID", `expected "#/$defs/<name>", met ${describeValue(value)}`, at);
    } else {
      this.references.push({ from: node, name: value.slice(REFERENCE.length), at, owner: this.owner });
    }
  }

  private typeNames(value: Json1Value, at: string): readonly string[] | undefined {
    const names = Array.isArray(value) ? value : [value];
    const known = names.every((name) => typeof name === "string" && Object.hasOwn(TYPE_BITS, name));
    if (known && names.length > 0 && new Set(names).size === names.length) return names as string[];
    this.fault(at, `expected one type name or a list of distinct ones (${Object.keys(TYPE_BITS).join(", ")}), met ${describeValue(value)}`);
    return undefined;
  }

  private schemaList(value: Json1Value, at: string, depth: number): readonly SchemaNode[] | undefined {
    if (Array.isArray(value) && value.length > 0) {
      return value.map((schema: Json1Value, i) => this.node(schema, childPointer(at, i), depth + 1, false));
    }
    this.fault(at, `expected a non-empty array of schemas, met ${describeValue(value)}`);
    return undefined;
  }

  private schemaMap(value: Json1Value, at: string, depth: number): ReadonlyMap<string, SchemaNode> | undefined {
    if (!isObject(value)) {
      this.fault(at, `expected an object of schemas, met ${describeValue(value)}`);
      return undefined;
    }
    const schemas = new Map<string, SchemaNode>();
    for (const name of Object.keys(value)) {
      schemas.set(name, this.node(value[name] as Json1Value, childPointer(at, name), depth + 1, false));
    }
    return schemas;
  }

  private distinctStrings(value: Json1Value, at: string): readonly string[] | undefined {
    if (Array.isArray(value) && value.every((name) => typeof name === "string") && new Set(value).size === value.length) return value;
    this.fault(at, `expected an array of distinct strings, met ${describeValue(value)}`);
    return undefined;
  }

  private dependencies(value: Json1Value, at: string): ReadonlyMap<string, readonly string[]> | undefined {
    if (!isObject(value)) {
      this.fault(at, `expected an object of arrays, met ${describeValue(value)}`);
      return undefined;
    }
    const names = new Map<string, readonly string[]>();
    for (const trigger of Object.keys(value)) {
      names.set(trigger, this.distinctStrings(value[trigger] as Json1Value, childPointer(at, trigger)) ?? []);
    }
    return names;
  }
}

function isScalar(value: Json1Value): value is Scalar {
  return value === null || typeof value !== "object";
}

/** Fills in heights from below. References lead to definitions that are measured already. */
function measure(node: SchemaNode): number {
  let below = node.ref?.height ?? 0;
  for (const child of node.inPlace()) if (child !== node.ref) below = Math.max(below, measure(child));
  for (const child of node.below()) below = Math.max(below, measure(child));
  node.height = below + 1;
  return node.height;
}
