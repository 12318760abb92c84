/**
 * Codecs as Standard Schemas (https://standardschema.dev, version 1, with the JSON Schema part), for the libraries of
 * forms, servers and agents that take one. They hold JSON as `JSON.parse` gives it, so this is the one place where
 * JavaScript numbers are taken (R44).
 */
import { jsonFromPlain } from "../json/admit.ts";
import { FlowError, Refusal } from "../json/errors.ts";
import { DEFAULT_LIMITS } from "../json/limits.ts";
import { splitPointer } from "../json/pointer.ts";
import type { JsonObject } from "../json/value.ts";
import { contextOf, type Decodable, decodeTree } from "./decode.ts";

/** One reason why a value is refused. */
export interface StandardIssue {
  /** The sentence. */
  readonly message: string;
  /** The names and indexes that lead to the place. */
  readonly path: readonly (string | number)[];
}

/** The value, or why there is none. */
export type StandardResult<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** What a codec's `~standard` has. */
export interface StandardProps<T> {
  /** The version of Standard Schema. */
  readonly version: 1;
  /** Who made it. */
  readonly vendor: "flow-host";
  /** The Flow value of JSON as `JSON.parse` gives it, or the issues. Does not throw. */
  readonly validate: (value: unknown) => StandardResult<T>;
  /** The JSON Schema of what is taken, and of what is given. */
  readonly jsonSchema: {
    readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    readonly output: (options: { readonly target: string }) => Record<string, unknown>;
  };
  /** For inference alone; never present. */
  readonly types?: { readonly input: unknown; readonly output: T };
}

export function standardProps<T>(type: Decodable, schema: () => JsonObject): StandardProps<T> {
  return {
    version: 1,
    vendor: "flow-host",
    validate(value) {
      try {
        const json = jsonFromPlain(value, DEFAULT_LIMITS);
        return { value: decodeTree(type, json, contextOf("lenient", "none"), DEFAULT_LIMITS) as T };
      } catch (caught) {
        if (!(caught instanceof Refusal)) throw caught;
        return { issues: [{ message: caught.toFlowError().message, path: path(caught.at, value) }] };
      }
    },
    jsonSchema: {
      input: ({ target }) => plainSchema(target, schema()),
      output() {
        // What validation gives are Flow values (bigint, Decimal, FlowSet, …), which no JSON Schema describes.
        throw new FlowError("unsupported", "the output of a codec is a Flow value and has no JSON Schema; ask for the input's");
      },
    },
  };
}

function plainSchema(target: string, schema: JsonObject): Record<string, unknown> {
  if (target !== "draft-2020-12") throw new FlowError("unsupported", `expected the target "draft-2020-12", met ${JSON.stringify(target)}`);
  return plain(schema) as Record<string, unknown>;
}

/** Exact JSON as other libraries hold it: numbers of a schema are small counts. */
function plain(json: unknown): unknown {
  if (typeof json === "bigint") return Number(json);
  if (Array.isArray(json)) return json.map(plain);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plain(value)]));
}

/** The segments of a pointer, indices of arrays as numbers. */
function path(pointer: string, root: unknown): readonly (string | number)[] {
  let value = root;
  return splitPointer(pointer).map((segment) => {
    const key = Array.isArray(value) ? Number(segment) : segment;
    value = typeof value === "object" && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
    return key;
  });
}
