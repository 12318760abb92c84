/**
 * The closed list of codes of this room: why a JSON/1 text, a schema, a descriptor, a package or a call was refused.
 * Each code of a descriptor or a package belongs to one word of what was wrong, under which other implementations
 * with codes of their own can be compared.
 */
import { FlowError } from "../json/errors.ts";

/** Codes of `readJson1` and `admitJson1`. */
export type Json1Code = "syntax" | "duplicate-member" | "lone-surrogate" | "number" | "limit" | "kind";

/** Codes of compiling a Schema/1 schema; the last one also of a validation that went past its budget. */
export type SchemaCode =
  | "SCHEMA_INVALID_JSON"
  | "SCHEMA_INVALID"
  | "SCHEMA_KEYWORD_UNSUPPORTED"
  | "SCHEMA_REFERENCE_INVALID"
  | "SCHEMA_LIMIT_EXCEEDED";

/** What a value is rejected with, by the side that it came from. */
export type RejectionCode = "INVALID_INPUT" | "INVALID_SETTINGS" | "INVALID_RESULT";

/** Codes of reading a descriptor; those of its schemas are {@link SchemaCode}s. */
export type ContractCode =
  | "CONTRACT_JSON_INVALID"
  | "CONTRACT_LIMIT_EXCEEDED"
  | "CONTRACT_MEMBER_MISSING"
  | "CONTRACT_MEMBER_UNKNOWN"
  | "CONTRACT_VALUE_INVALID"
  | "CONTRACT_ID_INVALID"
  | "CONTRACT_VERSION_INVALID"
  | "CONTRACT_NAME_INVALID";

/** Codes of reading a package. */
export type PackageCode =
  | "PACKAGE_ENCODING_INVALID"
  | "PACKAGE_FRONTMATTER_INVALID"
  | "PACKAGE_YAML_INVALID"
  | "PACKAGE_LIMIT_EXCEEDED"
  | "PACKAGE_FIELD_INVALID"
  | "PACKAGE_SLOT_INVALID"
  | "PACKAGE_PATH_INVALID"
  | "PACKAGE_FILE_MISSING"
  | "PACKAGE_DESCRIPTOR_INVALID"
  | "PACKAGE_ARCHIVE_INVALID";

/** Codes in the `data` of a JSON-RPC error `-32000` (*Values and errors*). */
export type CallCode =
  | "CANCELLED"
  | "DEADLINE_EXCEEDED"
  | "OWNER_CLOSED"
  | "OPERATION_CONFLICT"
  | "UNAVAILABLE"
  | "PERMISSION_DENIED"
  | "RESOURCE_EXHAUSTED"
  | "INVALID_INPUT"
  | "INVALID_RESULT"
  | "UNCERTAIN"
  | "EXECUTION_FAILED";

/** The codes of descriptors, schemas and packages, each with the word of what was wrong that it belongs to. */
export const WORDS: Readonly<Record<ContractCode | SchemaCode | PackageCode, string>> = Object.freeze({
  CONTRACT_JSON_INVALID: "json",
  CONTRACT_LIMIT_EXCEEDED: "limit",
  CONTRACT_MEMBER_MISSING: "shape",
  CONTRACT_MEMBER_UNKNOWN: "shape",
  CONTRACT_VALUE_INVALID: "shape",
  CONTRACT_ID_INVALID: "id",
  CONTRACT_VERSION_INVALID: "version",
  CONTRACT_NAME_INVALID: "name",
  SCHEMA_INVALID_JSON: "SCHEMA_INVALID_JSON",
  SCHEMA_INVALID: "SCHEMA_INVALID",
  SCHEMA_KEYWORD_UNSUPPORTED: "SCHEMA_KEYWORD_UNSUPPORTED",
  SCHEMA_REFERENCE_INVALID: "SCHEMA_REFERENCE_INVALID",
  SCHEMA_LIMIT_EXCEEDED: "SCHEMA_LIMIT_EXCEEDED",
  PACKAGE_ENCODING_INVALID: "encoding",
  PACKAGE_FRONTMATTER_INVALID: "frontmatter",
  PACKAGE_YAML_INVALID: "yaml",
  PACKAGE_LIMIT_EXCEEDED: "limit",
  PACKAGE_FIELD_INVALID: "field",
  PACKAGE_SLOT_INVALID: "slot",
  PACKAGE_PATH_INVALID: "path",
  PACKAGE_FILE_MISSING: "missing",
  PACKAGE_DESCRIPTOR_INVALID: "descriptor",
  PACKAGE_ARCHIVE_INVALID: "archive",
});

/** The word a code of a descriptor, a schema or a package belongs to; `undefined` for a code that is none of these. */
export function wordOf(code: string): string | undefined {
  return Object.hasOwn(WORDS, code) ? WORDS[code as keyof typeof WORDS] : undefined;
}

/** Past this many, further faults of one document are not told: a hostile document shall not write a long report. */
const MOST_FAULTS = 100;

/** Faults of one document that do not depend on each other, told together. */
export class Faults {
  private readonly list: FlowError[] = [];

  add(code: string, message: string, at: string, cause?: unknown): void {
    if (this.list.length < MOST_FAULTS) this.list.push(new FlowError(code, message, cause === undefined ? { at } : { at, cause }));
  }

  get some(): boolean {
    return this.list.length > 0;
  }

  /** The one fault, or the first with all of them as its `errors`. */
  toFlowError(): FlowError {
    const [first] = this.list;
    if (first === undefined) throw new Error("there is no fault");
    if (this.list.length === 1) return first;
    const others = this.list.length === 2 ? "1 more fault" : `${this.list.length - 1} more faults`;
    return new FlowError(first.code, `${first.message} (and ${others})`, { at: first.at, errors: this.list });
  }

  /** @throws FlowError where there is a fault. */
  settle(): void {
    if (this.some) throw this.toFlowError();
  }
}
