/**
 * Reading a descriptor (*Descriptor*): exact members at every level, the grammars of identity and names, all bounds,
 * and the whole embedded graph inside Schema/1's limits, before its digest is computed and anything is called.
 */
import { FlowError } from "../json/errors.ts";
import { childPointer } from "../json/pointer.ts";
import { exceedsUtf8 } from "../json/text.ts";
import { Faults } from "./codes.ts";
import { contractDigest } from "./digest.ts";
import { type ContractTriple, faultOfContractId, isContractVersion, isDefinitionName, isLocalName } from "./identity.ts";
import { canonicalJson1, readJson1 } from "./json1.ts";
import { bareObject, freezeJson1, isObject, type Json1Object, type Json1Value } from "./model.ts";
import { describeValue } from "./schema1/describe.ts";
import { FastCompiler } from "./schema1/fast.ts";
import type { SchemaNode } from "./schema1/node.ts";
import { SCHEMA_LIMITS, SchemaReader } from "./schema1/read.ts";
import { type CompiledSchema, Schema } from "./schema1/schema.ts";

/** The `$schema` of every descriptor, and the identifier of the JSON Schema of descriptors. */
export const CONTRACT_SCHEMA_ID = "https://flow.jig.md/schemas/capability-contract-1.schema.json";

/** What a descriptor may hold beside Schema/1's limits, inclusive. */
export const CONTRACT_LIMITS: Readonly<{ bytes: number; methods: number; errors: number; definitions: number }> = Object.freeze({
  bytes: 262_144,
  methods: 256,
  errors: 128,
  definitions: SCHEMA_LIMITS.definitions,
});

/** One method of a contract with its compiled schemas. */
export interface ContractMethod {
  /** The schema of its input. */
  readonly input: CompiledSchema;
  /** The schema of its output. */
  readonly output: CompiledSchema;
  /** The schemas of the data of its named errors. Nothing is inherited: every name is just a name. */
  readonly errors: Readonly<Record<string, CompiledSchema>>;
}

/** A descriptor that has been read, judged and compiled. Frozen, all the way down. */
export interface Contract extends ContractTriple {
  /** The descriptor, frozen. */
  readonly descriptor: Json1Object;
  /** The methods by name. Nothing is inherited: every name is just a name. */
  readonly methods: Readonly<Record<string, ContractMethod>>;
}

/** The contracts that this reader made, which an object of the same form is not. */
const genuine = new WeakSet<object>();

/** Whether a value is a contract that was read from a descriptor here, and not just an object that looks like one. */
export function isContract(value: unknown): value is Contract {
  return typeof value === "object" && value !== null && genuine.has(value);
}

/**
 * Reads the text of a descriptor.
 * @param source The text, or its UTF-8 bytes.
 * @throws FlowError a contract code or a compile code of Schema/1, with its pointer; where several independent faults
 *   were found, the first with all of them as its `errors`.
 */
export async function readContract(source: string | Uint8Array): Promise<Contract> {
  const { bytes } = CONTRACT_LIMITS;
  if (typeof source === "string" ? exceedsUtf8(source, bytes) : source.byteLength > bytes) {
    throw new FlowError("CONTRACT_LIMIT_EXCEEDED", `expected a descriptor of at most ${bytes} bytes`);
  }
  return build(json(source));
}

/**
 * Reads a descriptor that has been read as JSON/1 already; the value is frozen, all the way down. The limit on bytes is
 * held against its RFC 8785 text.
 * @throws FlowError as {@link readContract} does.
 */
export async function readContractValue(descriptor: Json1Value): Promise<Contract> {
  const { bytes } = CONTRACT_LIMITS;
  if (exceedsUtf8(canonicalJson1(descriptor), bytes)) {
    throw new FlowError("CONTRACT_LIMIT_EXCEEDED", `expected a descriptor of at most ${bytes} bytes`);
  }
  return build(descriptor);
}

function json(source: string | Uint8Array): Json1Value {
  try {
    return readJson1(source);
  } catch (caught) {
    if (!(caught instanceof FlowError)) throw caught;
    const { at, offset } = caught;
    throw new FlowError(
      "CONTRACT_JSON_INVALID",
      caught.message,
      offset === undefined ? { at, cause: caught } : { at, offset, cause: caught },
    );
  }
}

async function build(value: Json1Value): Promise<Contract> {
  const faults = new Faults();
  const reader = new DescriptorReader(faults);
  const methods = reader.read(value);
  faults.settle();
  const descriptor = freezeJson1(value) as Json1Object;
  const { id, version } = descriptor as { id: string; version: string };
  const contract = Object.freeze({ id, version, digest: await contractDigest(descriptor), descriptor, methods });
  genuine.add(contract);
  return contract;
}

class DescriptorReader {
  private readonly faults: Faults;
  private readonly schemas: SchemaReader;
  private readonly roots: SchemaNode[] = [];
  private readonly compiler = new FastCompiler();

  constructor(faults: Faults) {
    this.faults = faults;
    this.schemas = new SchemaReader(faults);
  }

  /** The compiled methods, which are to be used only where no fault was told. */
  read(value: Json1Value): Readonly<Record<string, ContractMethod>> {
    const methods = bareObject() as unknown as Record<string, ContractMethod>;
    if (!isObject(value)) {
      this.faults.add("CONTRACT_VALUE_INVALID", `expected an object, met ${describeValue(value)}`, "");
      return methods;
    }
    this.members(value, "", ["$schema", "flowCapabilityContract", "id", "version", "methods"], ["$defs"]);
    this.identity(value);
    if (value["$defs"] !== undefined) this.definitions(value["$defs"]);
    if (value["methods"] !== undefined) this.methods(value["methods"], methods);
    this.schemas.finish(this.roots);
    return Object.freeze(methods);
  }

  private members(object: Json1Object, pointer: string, required: readonly string[], optional: readonly string[] = []): void {
    for (const name of required) {
      if (object[name] === undefined) this.faults.add("CONTRACT_MEMBER_MISSING", `expected the member ${JSON.stringify(name)}`, pointer);
    }
    for (const name of Object.keys(object)) {
      if (required.includes(name) || optional.includes(name)) continue;
      this.faults.add("CONTRACT_MEMBER_UNKNOWN", `there is no member ${JSON.stringify(name)} here`, childPointer(pointer, name));
    }
  }

  private identity(root: Json1Object): void {
    const { $schema, flowCapabilityContract: format, id, version } = root;
    if ($schema !== undefined && $schema !== CONTRACT_SCHEMA_ID) {
      this.faults.add(
        "CONTRACT_VALUE_INVALID",
        `expected ${JSON.stringify(CONTRACT_SCHEMA_ID)}, met ${describeValue($schema)}`,
        "/$schema",
      );
    }
    if (format !== undefined && format !== 1) {
      this.faults.add("CONTRACT_VALUE_INVALID", `expected the number 1, met ${describeValue(format)}`, "/flowCapabilityContract");
    }
    if (id !== undefined) {
      const expected = typeof id === "string" ? faultOfContractId(id) : "a URI in a string";
      if (expected !== undefined) this.faults.add("CONTRACT_ID_INVALID", `expected ${expected}, met ${describeValue(id)}`, "/id");
    }
    if (version !== undefined && !isContractVersion(version)) {
      const expected = "expected a version of exactly three decimal components, such as 1.0.0";
      this.faults.add("CONTRACT_VERSION_INVALID", `${expected}, met ${describeValue(version)}`, "/version");
    }
  }

  /** An object with no more members than the limit; `undefined`, and a fault, for anything else. */
  private map(value: Json1Value, pointer: string, what: string, limit: number): Json1Object | undefined {
    if (!isObject(value)) {
      this.faults.add("CONTRACT_VALUE_INVALID", `expected an object of ${what}, met ${describeValue(value)}`, pointer);
      return undefined;
    }
    const count = Object.keys(value).length;
    if (count <= limit) return value;
    this.faults.add("CONTRACT_LIMIT_EXCEEDED", `expected at most ${limit} ${what}, met ${count}`, pointer);
    return undefined;
  }

  private definitions(value: Json1Value): void {
    const definitions = this.map(value, "/$defs", "definitions", CONTRACT_LIMITS.definitions);
    if (definitions === undefined) return;
    for (const name of Object.keys(definitions)) {
      if (isDefinitionName(name)) continue;
      const expected = "expected a definition name of 1 to 64 letters and digits that begins with a letter";
      this.faults.add("CONTRACT_NAME_INVALID", `${expected}, met ${describeValue(name)}`, childPointer("/$defs", name));
    }
    this.schemas.embeddedDefinitions(definitions, "/$defs");
  }

  private methods(value: Json1Value, methods: Record<string, ContractMethod>): void {
    const given = this.map(value, "/methods", "methods", CONTRACT_LIMITS.methods);
    if (given === undefined) return;
    const names = Object.keys(given);
    if (names.length === 0) this.faults.add("CONTRACT_VALUE_INVALID", "expected at least one method", "/methods");
    for (const name of names) {
      const pointer = childPointer("/methods", name);
      this.localName(name, pointer, "a method");
      const method = this.method(given[name] as Json1Value, pointer);
      if (method !== undefined) methods[name] = method;
    }
  }

  private method(value: Json1Value, pointer: string): ContractMethod | undefined {
    if (!isObject(value)) {
      this.faults.add("CONTRACT_VALUE_INVALID", `expected a method object, met ${describeValue(value)}`, pointer);
      return undefined;
    }
    this.members(value, pointer, ["input", "output", "errors"]);
    const input = this.schema(value["input"], `${pointer}/input`);
    const output = this.schema(value["output"], `${pointer}/output`);
    const errors = this.errors(value["errors"], `${pointer}/errors`);
    return input === undefined || output === undefined ? undefined : Object.freeze({ input, output, errors });
  }

  private errors(value: Json1Value | undefined, pointer: string): Readonly<Record<string, CompiledSchema>> {
    const errors = bareObject() as unknown as Record<string, CompiledSchema>;
    const given = value === undefined ? undefined : this.map(value, pointer, "errors", CONTRACT_LIMITS.errors);
    for (const name of Object.keys(given ?? {})) {
      const at = childPointer(pointer, name);
      this.localName(name, at, "an error");
      const schema = this.schema(given?.[name], at);
      if (schema !== undefined) errors[name] = schema;
    }
    return Object.freeze(errors);
  }

  private localName(name: string, pointer: string, what: string): void {
    if (isLocalName(name)) return;
    const expected = `expected a name for ${what} of 1 to 64 characters, lower-case letters and digits joined by single hyphens`;
    this.faults.add("CONTRACT_NAME_INVALID", `${expected}, met ${describeValue(name)}`, pointer);
  }

  private schema(value: Json1Value | undefined, pointer: string): CompiledSchema | undefined {
    const root = value === undefined ? undefined : this.schemas.embedded(value, pointer);
    if (root === undefined) return undefined;
    this.roots.push(root);
    return Object.freeze(new Schema(root, this.compiler));
  }
}
