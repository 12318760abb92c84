/**
 * The table between the error type of a Flow Tool and the named errors of a contract's method. Where the error type is
 * an enum, its constructors stand for names and what they carry for the data; where it is any other type, or where it
 * is wanted so, the whole value is the data of one name.
 */
import { FlowError } from "../../json/errors.ts";
import type { TypeSpec } from "../../types/terms.ts";
import { isLocalName } from "../identity.ts";
import { bareObject, isObject, type Json1Object, type Json1Value } from "../model.ts";

/**
 * Named errors by the constructors of a Tool's error type: all of them. Or the one name that every error value goes by,
 * with the value as its data. Not needed for a Tool whose error type is Never.
 */
export type ToolErrors = Readonly<Record<string, string>> | string;

export interface NamedError {
  readonly name: string;
  readonly data: Json1Value;
}

/** One table, read in both directions. */
export class ErrorTable {
  /** The one name, or the names by constructor. */
  private readonly names: ReadonlyMap<string, string> | string;
  /** The constructors that carry something. */
  private readonly carrying: ReadonlySet<string>;

  /** @throws FlowError `usage` for a table that does not fit the error type */
  constructor(spec: TypeSpec, errors: ToolErrors | undefined, tool: string) {
    const constructors = constructorsOf(spec);
    this.carrying = new Set(constructors?.filter(({ payload }) => payload !== null).map(({ name }) => name));
    if (typeof errors === "string") {
      requireName(errors, tool);
      this.names = errors;
      return;
    }
    const given = new Map(Object.entries(errors ?? {}));
    if (constructors === undefined) {
      if (spec.err !== "Never" || given.size > 0) {
        throw new FlowError("usage", `the error type of ${tool} is no enum; one name for all its errors is needed`, { tool });
      }
    } else {
      for (const { name } of constructors)
        if (!given.has(name)) throw new FlowError("usage", `the error ${name} of ${tool} needs a name`, { tool });
      if (given.size > constructors.length) {
        throw new FlowError("usage", `the errors of ${tool} are ${constructors.map(({ name }) => name).join(", ")}, and no others`, {
          tool,
        });
      }
    }
    for (const name of given.values()) requireName(name, tool);
    this.names = given;
  }

  /** @param value The error value's JSON/1, which is of the error type. */
  toNamed(value: Json1Value): NamedError {
    const { names } = this;
    if (typeof names === "string") return { name: names, data: value };
    const variant = isObject(value) ? (Object.keys(value)[0] as string) : (value as string);
    return { name: names.get(variant) as string, data: isObject(value) ? (value[variant] as Json1Value) : null };
  }

  /**
   * The JSON/1 of an error value; whether it is of the error type, the host finds out. `undefined` where the name is in
   * no place of the table.
   */
  toValue({ name, data }: NamedError): Json1Value | undefined {
    const { names } = this;
    if (typeof names === "string") return name === names ? data : undefined;
    for (const [variant, other] of names) {
      if (other !== name) continue;
      if (!this.carrying.has(variant)) return variant;
      const value = bareObject();
      value[variant] = data;
      return value as Json1Object;
    }
    return undefined;
  }

  /** @throws FlowError `usage` where two constructors have one name, so that it cannot be read backwards */
  requireInvertible(tool: string): void {
    if (typeof this.names === "string" || new Set(this.names.values()).size === this.names.size) return;
    throw new FlowError("usage", `two errors of ${tool} go by one name`, { tool });
  }
}

/** The constructors of the error type; `undefined` where it is no enum. */
function constructorsOf({ err, declarations }: TypeSpec) {
  const template = typeof err === "object" && "Named" in err ? declarations.get(err.Named.declaration) : undefined;
  return template?.kind === "enum" ? template.constructors : undefined;
}

function requireName(name: string, tool: string): void {
  if (!isLocalName(name)) throw new FlowError("usage", `${JSON.stringify(name)} cannot be the name of an error (for ${tool})`, { tool });
}
