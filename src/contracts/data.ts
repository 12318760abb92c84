/** What the entry ships as data: the JSON Schema of descriptors, and the specification's example. */
import { CONTRACT_SCHEMA_ID } from "./descriptor.ts";
import { freezeJson1, type Json1Object } from "./model.ts";

const LOCAL_NAME = { type: "string", maxLength: 64, pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" };
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const SEGMENT = "(?!\\.{1,2}(?:/|$))[a-z0-9._~-]+";
const VERSION_PART = "(?:0|[1-9][0-9]*)";

const schema = { $ref: "#/$defs/schema" };
const schemaMap = { type: "object", additionalProperties: schema };
const schemaList = { type: "array", items: schema, minItems: 1 };
const count = { type: "integer", minimum: 0 };
const number = { type: "number" };
const text = { type: "string" };
const distinct = { type: "array", items: text, uniqueItems: true };
const scalar = { type: ["null", "boolean", "number", "string"] };
const typeName = { enum: ["null", "boolean", "object", "array", "number", "integer", "string"] };

/** The keywords of a Schema/1 schema that is embedded in a descriptor, each with its shape. */
const KEYWORDS = {
  $ref: { type: "string", pattern: "^#/\\$defs/[A-Za-z][A-Za-z0-9]{0,63}$" },
  $comment: text,
  title: text,
  description: text,
  examples: { type: "array" },
  type: { anyOf: [typeName, { type: "array", items: typeName, minItems: 1, uniqueItems: true }] },
  enum: { type: "array", items: scalar },
  const: scalar,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  not: schema,
  if: schema,
  then: schema,
  else: schema,
  properties: schemaMap,
  required: distinct,
  additionalProperties: schema,
  minProperties: count,
  maxProperties: count,
  dependentRequired: { type: "object", additionalProperties: distinct },
  dependentSchemas: schemaMap,
  prefixItems: schemaList,
  items: schema,
  contains: schema,
  minContains: count,
  maxContains: count,
  minItems: count,
  maxItems: count,
  minLength: count,
  maxLength: count,
  minimum: number,
  exclusiveMinimum: number,
  maximum: number,
  exclusiveMaximum: number,
};

/**
 * A JSON Schema (2020-12) of descriptors, under the specification's identifier, for editors and other tools. It is
 * written from the rules of Capability Contract/1 and says all of them that JSON Schema can: not the size in bytes,
 * the depth and number of schema nodes, nor that references exist and go in no circle. `readContract` decides.
 */
export const capabilityContractSchema: Json1Object = freezeJson1({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: CONTRACT_SCHEMA_ID,
  title: "FLOW Capability Contract/1 descriptor",
  type: "object",
  properties: {
    $schema: { const: CONTRACT_SCHEMA_ID },
    flowCapabilityContract: { const: 1 },
    id: {
      type: "string",
      pattern: `^https://(?![0-9]+(?:\\.[0-9]+){3}/)${LABEL}(?:\\.${LABEL})+(?:/${SEGMENT})+$`,
    },
    version: { type: "string", pattern: `^${VERSION_PART}\\.${VERSION_PART}\\.${VERSION_PART}$` },
    methods: {
      type: "object",
      minProperties: 1,
      maxProperties: 256,
      propertyNames: LOCAL_NAME,
      additionalProperties: { $ref: "#/$defs/method" },
    },
    $defs: {
      type: "object",
      maxProperties: 1024,
      propertyNames: { pattern: "^[A-Za-z][A-Za-z0-9]{0,63}$" },
      additionalProperties: schema,
    },
  },
  required: ["$schema", "flowCapabilityContract", "id", "version", "methods"],
  additionalProperties: false,
  $defs: {
    method: {
      type: "object",
      properties: {
        input: schema,
        output: schema,
        errors: { type: "object", maxProperties: 128, propertyNames: LOCAL_NAME, additionalProperties: schema },
      },
      required: ["input", "output", "errors"],
      additionalProperties: false,
    },
    schema: { anyOf: [{ type: "boolean" }, { type: "object", properties: KEYWORDS, additionalProperties: false }] },
  },
}) as Json1Object;

const SESSION = {
  type: "object",
  properties: { sessionId: { type: "string", minLength: 1, maxLength: 128 } },
  required: ["sessionId"],
  additionalProperties: false,
};

/**
 * The session-store example of the specification. Its contract digest is
 * `sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98`.
 */
export const sessionStoreDescriptor: Json1Object = freezeJson1({
  $schema: CONTRACT_SCHEMA_ID,
  flowCapabilityContract: 1,
  id: "https://example.org/contracts/session-store",
  version: "1.0.0",
  methods: {
    read: {
      input: { $ref: "#/$defs/ReadInput" },
      output: { $ref: "#/$defs/Session" },
      errors: { "not-found": { $ref: "#/$defs/NotFound" } },
    },
  },
  $defs: { ReadInput: SESSION, Session: SESSION, NotFound: SESSION },
}) as Json1Object;
