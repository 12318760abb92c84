/** Descriptions out of a schema, where `description` is a keyword and nowhere else (R21). */
import { DEEPEST_LIMIT } from "../json/limits.ts";
import { emptyObject, isJsonObject, type JsonValue } from "../json/value.ts";

/** Keywords of R17's forms whose value is an object of schemas by free name, an array of schemas, or one schema. */
const BY_NAME: ReadonlySet<string> = new Set(["properties", "$defs"]);
const IN_ARRAY: ReadonlySet<string> = new Set(["prefixItems", "oneOf"]);
const SINGLE: ReadonlySet<string> = new Set(["items", "additionalProperties", "not"]);

/**
 * The schema without its `description`s. A property, `$defs` key or constructor of that name stays, and so does a
 * `description` that is no string, since no projection writes one. What is no schema of R17's forms comes back with
 * whatever it holds, and so does what is nested deeper than any projection.
 */
export function withoutDescriptions(schema: JsonValue, depth = 1): JsonValue {
  if (!isJsonObject(schema) || depth > DEEPEST_LIMIT) return schema;
  const result = emptyObject();
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "description" && typeof value === "string") continue;
    result[keyword] = stripped(keyword, value, depth + 1);
  }
  return result;
}

function stripped(keyword: string, value: JsonValue, depth: number): JsonValue {
  if (SINGLE.has(keyword)) return withoutDescriptions(value, depth);
  if (IN_ARRAY.has(keyword) && Array.isArray(value)) return value.map((schema) => withoutDescriptions(schema, depth));
  if (!BY_NAME.has(keyword) || !isJsonObject(value)) return value;
  const result = emptyObject();
  for (const [name, schema] of Object.entries(value)) result[name] = withoutDescriptions(schema, depth);
  return result;
}
