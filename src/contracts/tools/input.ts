/** The table between the input of a contract's method and the parameters of a Flow Tool. */
import { FlowError } from "../../json/errors.ts";
import { childPointer } from "../../json/pointer.ts";
import type { TypeSpec } from "../../types/terms.ts";
import { bareObject, isObject, type Json1Object, type Json1Value } from "../model.ts";

/**
 * How an input and arguments are joined. By default the input is an object whose members are the parameters, by the
 * same names, each exactly once. A record names those members that are called otherwise than their parameters, member
 * to parameter. A string names the Tool's one parameter, which then is the whole input.
 */
export type ToolParameters = Readonly<Record<string, string>> | string;

/** One table, read in both directions. */
export class InputTable {
  /** The parameter that is the whole input. */
  private readonly whole: string | undefined;
  /** Parameters by member, those of other names only; and the other way round. */
  private readonly toParameter = new Map<string, string>();
  private readonly toMember = new Map<string, string>();

  /** @throws FlowError `usage` for a table that does not fit the parameters */
  constructor({ params }: TypeSpec, parameters: ToolParameters | undefined, tool: string) {
    const names = new Set(params.map(({ name }) => name));
    const refuse = (what: string): FlowError => new FlowError("usage", `${what} (for ${tool})`, { tool });
    if (typeof parameters === "string") {
      if (names.size !== 1 || !names.has(parameters)) throw refuse(`${JSON.stringify(parameters)} is not the one parameter`);
      this.whole = parameters;
      return;
    }
    for (const [member, parameter] of Object.entries(parameters ?? {})) {
      if (!names.has(parameter)) throw refuse(`there is no parameter ${JSON.stringify(parameter)}`);
      if (this.toMember.has(parameter)) throw refuse(`two members stand for the parameter ${JSON.stringify(parameter)}`);
      this.toParameter.set(member, parameter);
      this.toMember.set(parameter, member);
    }
    for (const name of names) {
      if (!this.toMember.has(name) && this.toParameter.has(name))
        throw refuse(`two parameters stand for the member ${JSON.stringify(name)}`);
    }
  }

  /**
   * Arguments by parameter name; whether they are all there and of their types, decoding finds out.
   * @throws FlowError `undeclared-member` for a member that has the name of a parameter which goes by another one
   */
  toArguments(input: Json1Value): Json1Value {
    const args = bareObject();
    if (this.whole !== undefined) args[this.whole] = input;
    else if (!isObject(input)) return input;
    else {
      for (const name of Object.keys(input)) args[this.toParameter.get(name) ?? this.ownName(name)] = input[name] as Json1Value;
    }
    return args as Json1Object;
  }

  toInput(args: Json1Object): Json1Value {
    if (this.whole !== undefined) return args[this.whole] as Json1Value;
    const input = bareObject();
    for (const name of Object.keys(args)) input[this.toMember.get(name) ?? name] = args[name] as Json1Value;
    return input as Json1Object;
  }

  /** A pointer into arguments as one into the input. */
  pointer(at: string): string {
    const [, name = "", ...rest] = at.split("/");
    if (this.whole !== undefined) return ["", ...rest].join("/");
    const member = this.toMember.get(name);
    return member === undefined ? at : [childPointer("", member), ...rest].join("/");
  }

  private ownName(name: string): string {
    if (!this.toMember.has(name)) return name;
    throw new FlowError("undeclared-member", `there is no member ${JSON.stringify(name)}`, { at: childPointer("", name) });
  }
}
