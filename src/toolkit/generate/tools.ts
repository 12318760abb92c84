/** The Tools themselves: the interfaces of an author's and a program's side, and the descriptions that travel along. */

import { DEEPEST_LIMIT } from "../../json/limits.ts";
import { jsonObject } from "../../json/value.ts";
import { canonicalText } from "../../json/write.ts";
import type { ToolEntry } from "../../signature/tools.ts";
import type { Declarations, Term } from "../../types/terms.ts";
import { declarationsJson, parametersJson, termJson } from "../../types/write.ts";
import { genericNames, type Module, usedParams } from "./declarations.ts";
import { flatType, type TermNames, typeText } from "./terms.ts";
import { docComment, property, propertyName, stringLiteral, WIDTH } from "./text.ts";

/** A Tool with the names that were chosen for it. */
export interface NamedTool {
  readonly entry: ToolEntry;
  readonly method: string;
  /** The name of its arguments' type. */
  readonly args: string;
}

/** The declarations of arguments, and the two interfaces. */
export function toolsText(tools: readonly NamedTool[], module: Module): string {
  const writers = tools.map((tool) => new ToolWriter(tool, module));
  const args = writers.map((writer) => writer.args()).join("\n");
  const authors = writers.map((writer) => writer.authorMethod());
  const callers = writers.map((writer) => writer.callMethod());
  return [
    args,
    `/** What an author implements: one method for each Tool. */\nexport interface Tools ${bodyOf(authors)}`,
    `/** What a program calls: one method for each Tool. */\nexport interface Calls ${bodyOf(callers)}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function bodyOf(methods: readonly string[]): string {
  return methods.length === 0 ? "{}\n" : `{\n${methods.join("")}}\n`;
}

class ToolWriter {
  private readonly tool: NamedTool;
  private readonly module: Module;
  /** The Tool's type parameters in the text of its types. */
  private readonly params: readonly string[];
  /** Indices of the type parameters that the arguments mention. */
  private readonly inArgs: ReadonlySet<number>;

  constructor(tool: NamedTool, module: Module) {
    const { spec } = tool.entry;
    this.tool = tool;
    this.module = module;
    const terms = spec.params.map((param) => param.type);
    this.inArgs = usedParams(terms);
    this.params = genericNames(spec.generic, usedParams([...terms, spec.ok, spec.err]), module.taken);
  }

  args(): string {
    const { entry, args } = this.tool;
    const { params } = entry.spec;
    const doc = docComment([`Arguments of \`${entry.tool}\`.`], "");
    if (params.length === 0) {
      return `${doc}export type ${args} = flow.Empty;\n`;
    }
    const generic = this.argsGeneric((i) => this.params[i] as string);
    const names = this.names((i) => this.params[i] as string);
    const lines = params.map(({ name, type }) => {
      const before = `  readonly ${propertyName(name)}: `;
      return `${before}${typeText(type, names, "  ", before.length, 1)};\n`;
    });
    return `${doc}export interface ${args}${generic} {\n${lines.join("")}}\n`;
  }

  /** Values of a type parameter reach the author as JSON. */
  authorMethod(): string {
    const { spec } = this.tool.entry;
    const isGeneric = spec.generic.length > 0;
    const context = isGeneric ? `flow.GenericToolContext<${this.parameterUnion()}>` : "flow.ToolContext";
    return this.method(
      "",
      this.argsGeneric(() => "flow.JsonValue"),
      `ctx: ${context}`,
      "flow.ToolResult",
      () => "flow.JsonValue",
    );
  }

  callMethod(): string {
    const { spec } = this.tool.entry;
    const isGeneric = spec.generic.length > 0;
    const options = isGeneric ? `options: flow.GenericCallOptions<${this.parameterUnion()}>` : "options?: flow.ToolCallOptions";
    const own = isGeneric ? `<${this.params.join(", ")}>` : "";
    const param = (index: number): string => this.params[index] as string;
    return this.method(own, this.argsGeneric(param), options, "Promise<flow.Outcome", param);
  }

  private method(own: string, argsGeneric: string, last: string, result: string, param: (index: number) => string): string {
    const { entry, method, args } = this.tool;
    const { spec, doc } = entry;
    const names = this.names(param);
    const close = result.includes("<") ? ">>" : ">";
    const parameters = [`args: ${args}${argsGeneric}`, last];
    const returned = `${result}<${flatType(spec.ok, names)}, ${flatType(spec.err, names)}${close}`;
    const comment = docComment(doc === null ? [] : [doc], "  ");
    const line = `  ${method}${own}(${parameters.join(", ")}): ${returned};`;
    if (line.length <= WIDTH) return `${comment}${line}\n`;
    return `${comment}  ${method}${own}(\n${parameters.map((text) => `    ${text},\n`).join("")}  ): ${this.broken(result, [spec.ok, spec.err], names, close)};\n`;
  }

  /** The result type after `  ): `. */
  private broken(result: string, terms: readonly Term[], names: TermNames, close: string): string {
    const flat = `${result}<${terms.map((term) => flatType(term, names)).join(", ")}${close}`;
    if (`  ): ${flat};`.length <= WIDTH) return flat;
    const isNested = close.length === 2;
    const indent = isNested ? "      " : "    ";
    const inner = terms.map((term, i) => `${indent}${typeText(term, names, indent, indent.length, i === 0 ? 1 : 0)}`).join(",\n");
    if (!isNested) return `${result}<\n${inner}\n  >`;
    const [outer, name] = result.split("<");
    const joined = `    ${name}<${terms.map((term) => flatType(term, names)).join(", ")}>`;
    return joined.length <= WIDTH ? `${outer}<\n${joined}\n  >` : `${outer}<\n    ${name}<\n${inner}\n    >\n  >`;
  }

  private parameterUnion(): string {
    return this.tool.entry.spec.generic.map(stringLiteral).join(" | ");
  }

  private argsGeneric(name: (index: number) => string): string {
    const used = [...this.inArgs].sort((a, b) => a - b);
    return used.length === 0 ? "" : `<${used.map(name).join(", ")}>`;
  }

  private names(param: (index: number) => string): TermNames {
    return { declaration: (id) => this.module.names(id).name, param };
  }
}

/** The descriptions from which the toolkit answers, and the functions over them. */
export function embeddedText(data: string, tools: readonly NamedTool[], types: Declarations): string {
  const entries = tools.map(({ entry, method }) => {
    const { tool, doc, fingerprint, spec } = entry;
    const roots = jsonObject({
      generic: spec.generic,
      params: parametersJson(spec.params),
      ok: termJson(spec.ok),
      err: termJson(spec.err),
    });
    return [
      `    ${propertyName(method)}: {\n`,
      property("tool", stringLiteral(tool), "      "),
      property("doc", doc === null ? "null" : stringLiteral(doc), "      "),
      property("fingerprint", stringLiteral(fingerprint), "      "),
      property("roots", stringLiteral(canonicalText(roots, { depth: DEEPEST_LIMIT })), "      "),
      "    },\n",
    ].join("");
  });
  const list = entries.length === 0 ? "  tools: {},\n" : `  tools: {\n${entries.join("")}  },\n`;
  return [
    "/** The Tools with their descriptions and fingerprints. */\n",
    "export const tools: flow.Toolkit<Tools, Calls> = flow.defineToolkit<Tools, Calls>({\n",
    property("data", stringLiteral(data), "  "),
    list,
    property("types", stringLiteral(canonicalText(declarationsJson(types), { depth: DEEPEST_LIMIT })), "  "),
    "});\n\n",
    "/** The Tools as functions that a run calls. */\n",
    "export function calls(run: flow.ToolCaller): Calls {\n  return tools.calls(run);\n}\n",
  ].join("");
}
