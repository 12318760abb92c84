/** A valid JSON text for a type, to start from. */
import type { Declarations, Field, Payload, Primitive, Term } from "flow-host";
import { shapeOf } from "./shape.ts";

const PRIMITIVES: Readonly<Record<Primitive, string | undefined>> = {
  Int: "42",
  Decimal: "12.5",
  Bool: "true",
  Text: '"text"',
  Bytes: '"aGVsbG8="',
  Instant: '"2026-01-31T12:00:00Z"',
  Duration: '"PT1.5S"',
  Unit: "[]",
  "json.Value": '{"any": "JSON"}',
  Never: undefined,
};

/** An example of a type; undefined where it has no value that a person could write. */
export function exampleOf(term: Term, declarations: Declarations): string | undefined {
  return example(term, declarations, []);
}

/** @param open The declarations that an example is being made of: one inside itself would have no end. */
function example(term: Term, declarations: Declarations, open: readonly string[]): string | undefined {
  const inner = (part: Term, through: readonly string[] = open) => example(part, declarations, through);
  const shape = shapeOf(term, declarations);
  switch (shape.kind) {
    case "primitive":
      return PRIMITIVES[shape.name];
    case "list":
    case "set": {
      const item = inner(shape.item);
      return item === undefined ? "[]" : `[${item}]`;
    }
    case "option": {
      const item = inner(shape.item);
      return item === undefined ? '"None"' : `{"Some": ${item}}`;
    }
    case "dict": {
      const [key, value] = [inner(shape.key), inner(shape.value)];
      const isObject = shape.key === "Text";
      if (key === undefined || value === undefined) return isObject ? "{}" : "[]";
      return isObject ? `{${key}: ${value}}` : `[[${key}, ${value}]]`;
    }
    case "tuple":
      return joined(shape.parts.map((part) => inner(part)));
    case "record": {
      if (open.includes(shape.id) || shape.template.opaque) return undefined;
      return members(shape.fields, (part) => inner(part, [...open, shape.id]));
    }
    case "enum": {
      if (open.includes(shape.id) || shape.template.opaque) return undefined;
      const through = [...open, shape.id];
      for (const { name, payload } of shape.constructors) {
        const written = variant(name, payload, (part) => inner(part, through));
        if (written !== undefined) return written;
      }
      return undefined;
    }
    case "other":
      return undefined;
  }
}

type Make = (term: Term) => string | undefined;

function variant(name: string, payload: Payload, make: Make): string | undefined {
  if (payload === null) return JSON.stringify(name);
  const parts = "named" in payload ? members(payload.named, make) : positional(payload.positional, make);
  return parts === undefined ? undefined : `{${JSON.stringify(name)}: ${parts}}`;
}

function positional(terms: readonly Term[], make: Make): string | undefined {
  return terms.length === 1 ? make(terms[0] as Term) : joined(terms.map(make));
}

/** A record's text. A field that is an Option is shown with a value, or left out where it can have none. */
function members(fields: readonly Field[], make: Make): string | undefined {
  const written: string[] = [];
  for (const { name, type } of fields) {
    const isOption = typeof type === "object" && "Option" in type;
    const value = make(isOption ? type.Option : type);
    if (value !== undefined) written.push(`${JSON.stringify(name)}: ${value}`);
    else if (!isOption) return undefined;
  }
  return `{${written.join(", ")}}`;
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : `[${parts.join(", ")}]`;
}
