/** What each name of a type means: the file's own types, those behind its aliases, built-in types, type parameters. */
import type { Primitive } from "../types/terms.ts";
import type { DeclarationCode } from "./codes.ts";
import { quoteName } from "./cursor.ts";
import { type Aliases, JSON_ALIAS, resolveImports } from "./imports.ts";
import type { LoadedProgram, ProgramFile } from "./program.ts";
import type { FieldNode, Name, NamedNode, Span, ToolDeclaration, TypeDeclaration, TypeNode } from "./syntax.ts";

/** A declared type of the program, or the one std declaration (R20). */
export interface TypeSymbol {
  /** The local id; given once it is known in which order types are reached (R34). */
  id: string;
  readonly identity: string;
  readonly declared: { readonly file: ProgramFile; readonly node: TypeDeclaration } | undefined;
}

export interface ToolSymbol {
  readonly identity: string;
  readonly file: ProgramFile;
  readonly node: ToolDeclaration;
}

export type Container = "List" | "Set" | "Option" | "Task" | "Dict";

export type Target =
  | { readonly kind: "primitive"; readonly term: Primitive }
  | { readonly kind: "container"; readonly name: Container }
  | { readonly kind: "parameter"; readonly index: number }
  | { readonly kind: "type"; readonly symbol: TypeSymbol };

export interface ResolvedProgram {
  /** In order of file and source. */
  readonly tools: readonly ToolSymbol[];
  readonly types: readonly TypeSymbol[];
  readonly result: TypeSymbol;
  /** What names stand for; those that were refused stand for nothing. */
  readonly targets: ReadonlyMap<NamedNode, Target>;
}

const PRIMITIVE_NAMES: readonly Primitive[] = ["Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never"];
const CONTAINERS: readonly Container[] = ["List", "Set", "Option", "Task", "Dict"];
/** Inside a value it is a declaration of std (R20), around a Tool's success and error types it is no value. */
const RESULT = "Result";

/** Looks up every name of the program; what is refused is added to the faults of its file. */
export function resolveNames(program: LoadedProgram): ResolvedProgram {
  const aliases = resolveImports(program);
  const resolver = new NameResolver(program.files);
  for (const file of program.files) resolver.file(file, aliases.get(file) ?? new Map());
  return resolver;
}

class NameResolver implements ResolvedProgram {
  readonly tools: ToolSymbol[] = [];
  readonly types: TypeSymbol[] = [];
  readonly result: TypeSymbol = { id: "", identity: "std/result.flow.Result", declared: undefined };
  readonly targets: Map<NamedNode, Target> = new Map();
  private readonly builtIn = new Map<string, { readonly target: Target; readonly arity: number }>();
  /** The types of each file by name; of two with one name, the first. */
  private readonly scopes = new Map<ProgramFile, Map<string, TypeSymbol>>();
  private current: ProgramFile | undefined;
  private aliases: Aliases = new Map();
  /** The type parameters of the declaration at hand. */
  private generic = new Map<string, number>();

  constructor(files: readonly ProgramFile[]) {
    for (const term of PRIMITIVE_NAMES) this.builtIn.set(term, { target: { kind: "primitive", term }, arity: 0 });
    for (const name of CONTAINERS) this.builtIn.set(name, { target: { kind: "container", name }, arity: name === "Dict" ? 2 : 1 });
    this.builtIn.set(RESULT, { target: { kind: "type", symbol: this.result }, arity: 2 });
    for (const file of files) this.declare(file);
  }

  private declare(file: ProgramFile): void {
    const scope = new Map<string, TypeSymbol>();
    const tools = new Set<string>();
    this.scopes.set(file, scope);
    this.current = file;
    for (const node of file.parsed.items) {
      if (node.kind !== "type" && node.kind !== "tool") continue;
      const { text } = node.name;
      const identity = `${file.id}.${text}`;
      const isSecond = node.kind === "type" ? scope.has(text) : tools.has(text);
      if (isSecond) this.twice(node.name, node.kind === "type" ? "type" : "Tool");
      if (node.kind === "tool") {
        tools.add(text);
        this.tools.push({ identity, file, node });
        continue;
      }
      const symbol = { id: "", identity, declared: { file, node } };
      this.types.push(symbol);
      if (this.builtIn.has(text)) this.reserved(node.name, "type");
      else if (!isSecond) scope.set(text, symbol);
    }
  }

  /** Every name in a file. */
  file(file: ProgramFile, aliases: Aliases): void {
    this.current = file;
    this.aliases = aliases;
    for (const node of file.parsed.items) {
      if (node.kind !== "type" && node.kind !== "tool") continue;
      this.generic = new Map(node.generic.map(({ text }, index) => [text, index]));
      this.unique(node.generic, "type parameter");
      for (const name of node.generic) if (this.builtIn.has(name.text)) this.reserved(name, "type parameter");
      if (node.kind === "type") this.typeMembers(node);
      else this.toolMembers(node);
    }
  }

  private typeMembers({ body }: TypeDeclaration): void {
    if (body.kind === "record") this.fields(body.fields);
    if (body.kind !== "enum") return;
    this.unique(
      body.constructors.map(({ name }) => name),
      "constructor",
    );
    for (const { payload } of body.constructors) {
      if (payload === null) continue;
      if ("named" in payload) this.fields(payload.named);
      else for (const type of payload.positional) this.type(type);
    }
  }

  private fields(fields: readonly FieldNode[]): void {
    this.unique(
      fields.map((field) => field.name),
      "field",
    );
    for (const { type } of fields) this.type(type);
  }

  private toolMembers({ params, result, name }: ToolDeclaration): void {
    this.unique(
      params.map((param) => param.name),
      "parameter",
    );
    for (const { type } of params) this.type(type);
    if (result === undefined) return;
    this.type(result);
    const target = result.kind === "named" ? this.targets.get(result) : undefined;
    // A name that stands for nothing was refused as that.
    const isRefused = result.kind === "named" && target === undefined;
    if (isRefused || (target?.kind === "type" && target.symbol === this.result)) return;
    const met = quoteName(this.textOf(result));
    const message = `expected the Tool ${quoteName(name.text)} to return \`Result<T, E>\`, met ${met}; if it cannot fail, E is \`Never\``;
    this.refuse("return-type", result, message, name.text);
  }

  private textOf({ start, end }: Span): string {
    const text = (this.current as ProgramFile).source.text.slice(start, Math.min(end, start + 200));
    return text
      .split("\n")
      .map((line) => line.trim())
      .join(" ");
  }

  /** Recursion is as deep as the type, which the parser bounded. */
  private type(node: TypeNode): void {
    if (node.kind === "tuple") for (const part of node.parts) this.type(part);
    else if (node.kind === "function") {
      for (const param of node.params) this.type(param);
      this.type(node.result);
    } else {
      const found = this.lookUp(node);
      if (found !== undefined) {
        this.targets.set(node, found.target);
        this.arity(node, found.arity);
      }
      for (const arg of node.args) this.type(arg);
    }
  }

  private arity({ name, args }: NamedNode, arity: number): void {
    if (args.length === arity) return;
    const wanted = arity === 0 ? "no type arguments" : `${arity} type argument${arity === 1 ? "" : "s"}`;
    this.refuse(
      "arity",
      name,
      `expected ${wanted} for ${quoteName(name.text)}, met ${args.length === 0 ? "none" : args.length}`,
      name.text,
    );
  }

  private lookUp({ alias, name }: NamedNode): { readonly target: Target; readonly arity: number } | undefined {
    if (alias !== undefined) return this.behindAlias(alias, name);
    const index = this.generic.get(name.text);
    if (index !== undefined) return { target: { kind: "parameter", index }, arity: 0 };
    const builtIn = this.builtIn.get(name.text);
    if (builtIn !== undefined) return builtIn;
    const symbol = this.scopes.get(this.current as ProgramFile)?.get(name.text);
    if (symbol !== undefined) return found(symbol);
    this.unknown(name);
    return undefined;
  }

  private behindAlias(alias: Name, name: Name): { readonly target: Target; readonly arity: number } | undefined {
    if (alias.text === JSON_ALIAS) {
      if (name.text === "Value") return { target: { kind: "primitive", term: "json.Value" }, arity: 0 };
      this.refuse("unknown-name", name, `met ${quoteName(`json.${name.text}`)}; \`json\` holds one type, \`json.Value\``, name.text);
      return undefined;
    }
    if (!this.aliases.has(alias.text)) {
      if (alias.text.charCodeAt(0) <= 90) return undefined;
      const message = `met the alias ${quoteName(alias.text)}, which no \`use\` of this file brings; add a line like ${quoteName(`use "./${alias.text}"`)}`;
      this.refuse("unknown-name", alias, message, alias.text);
      return undefined;
    }
    const file = this.aliases.get(alias.text);
    // Where the `use` itself was refused, that is all there is to say.
    if (file === undefined) return undefined;
    const symbol = this.scopes.get(file)?.get(name.text);
    if (symbol === undefined) {
      this.refuse(
        "unknown-name",
        name,
        `met ${quoteName(name.text)}, but ${file.path} declares no type of that name; correct the name or declare it there`,
        name.text,
      );
      return undefined;
    }
    if (file !== this.current && symbol.declared?.node.isPublic !== true) {
      this.refuse(
        "private",
        name,
        `met ${quoteName(name.text)}, which is private to ${file.path}; mark it \`pub\` there, or use another type`,
        name.text,
      );
      return undefined;
    }
    return found(symbol);
  }

  /** A name of the wrong case was refused as that. */
  private unknown(name: Name): void {
    if (name.text.charCodeAt(0) > 90) return;
    const wanted = quoteName(name.text);
    if ((this.current as ProgramFile).faults.isFull) return;
    for (const [alias, file] of this.aliases) {
      if (file === undefined || this.scopes.get(file)?.has(name.text) !== true) continue;
      const message = `met ${wanted}, which this file does not declare; write ${quoteName(`${alias}.${name.text}`)} for the type of ${file.path}`;
      this.refuse("unknown-name", name, message, name.text);
      return;
    }
    const message = `met ${wanted}, which this file does not declare; declare it, or import its file and write ${quoteName(`alias.${name.text}`)}`;
    this.refuse("unknown-name", name, message, name.text);
  }

  private unique(names: readonly Name[], what: string): void {
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name.text)) this.twice(name, what);
      seen.add(name.text);
    }
  }

  private twice(name: Name, what: string): void {
    this.refuse("duplicate", name, `met the ${what} ${quoteName(name.text)} a second time; rename or remove one of the two`, name.text);
  }

  private reserved(name: Name, what: string): void {
    this.refuse("reserved", name, `met a ${what} named ${quoteName(name.text)}, which is a built-in type; choose another name`, name.text);
  }

  private refuse(code: DeclarationCode, { start, end }: Span, message: string, about: string): void {
    (this.current as ProgramFile).faults.add({ code, start, end, message, about });
  }
}

function found(symbol: TypeSymbol): { readonly target: Target; readonly arity: number } {
  return { target: { kind: "type", symbol }, arity: symbol.declared?.node.generic.length ?? 2 };
}
