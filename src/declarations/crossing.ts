/**
 * What may cross (R15) and what has an order (R12), told at every place at once. Which positions hold values is decided
 * as the types room decides it: by the use that each declaration makes of its type parameters, phantom arguments left out.
 */
import type { Declarations, Template, Term } from "../types/terms.ts";
import { eachPart, ORDERED, PHANTOM, stronger, Usage, type Use, VALUE } from "../types/usage.ts";
import type { DeclarationCode } from "./codes.ts";
import { quoteName } from "./cursor.ts";
import type { ProgramFile } from "./program.ts";
import type { TermProgram } from "./templates.ts";

/** What keeps a value from crossing into a parameter, from coming back in a reply, from having an order. */
type Trait = "process" | "opaque" | "token";

/** Why a type has a trait: by itself, or through a member. */
interface Reason {
  /** `Wrapper.field`, or the type itself. */
  readonly step: string;
  readonly next: string | undefined;
}

export function checkCrossing(program: TermProgram): void {
  const checker = new Checker(program);
  checker.types();
  for (const tool of program.tools) checker.tool(tool);
}

class Checker {
  private readonly program: TermProgram;
  private readonly declarations: Declarations;
  private readonly usage: Usage;
  private readonly traits: Readonly<Record<Trait, ReadonlyMap<string, Reason>>>;
  private file: ProgramFile | undefined;
  /** Terms refused already: one fault each is enough. */
  private readonly refused = new Set<object>();

  constructor(program: TermProgram) {
    this.program = program;
    this.declarations = program.declarations;
    this.usage = new Usage(program.declarations);
    this.traits = findTraits(program.declarations, this.usage);
  }

  /** Order is asked of every declared type, reached by a Tool or not. */
  types(): void {
    for (const [id, template] of this.declarations) {
      this.file = this.program.symbols.get(id)?.declared?.file;
      for (const { type } of placedMembers(template)) this.order(type, VALUE);
    }
  }

  tool({ symbol, params, ok, err }: TermProgram["tools"][number]): void {
    this.file = symbol.file;
    for (const { type } of params) this.root(type, "a parameter", ["process"]);
    this.root(ok, "the success type of a Tool", ["process", "opaque"]);
    this.root(err, "the error type of a Tool", ["process", "opaque"]);
  }

  private root(term: Term, where: string, traits: readonly Trait[]): void {
    this.order(term, VALUE);
    this.cross(term, where, traits);
  }

  /** Refuses what may not stand in a value position, once for each place. Recursion is as deep as the term. */
  private cross(term: Term, where: string, traits: readonly Trait[]): void {
    if (typeof term === "string" || "Param" in term) return;
    if ("Function" in term || "Task" in term) {
      const what = "Function" in term ? "a function" : "a Task";
      this.refuse("crossing", term, `expected data in ${where}, met ${what}; only values cross, pass what it would compute`, what);
    } else if ("Named" in term) {
      for (const trait of traits) this.crossNamed(term, term.Named.declaration, where, trait);
      this.eachArgument(term.Named, (arg) => this.cross(arg, where, traits));
    } else {
      eachPart(term, VALUE, (part) => this.cross(part, where, traits));
    }
  }

  private crossNamed(term: object, id: string, where: string, trait: Trait): void {
    const path = this.path(id, trait);
    if (path === undefined) return;
    const name = this.nameOf(id);
    if (trait === "opaque") {
      const message = `expected a type that decoding can build in ${where}, met ${path}, which is opaque; return the plain value and convert it by a function of the program`;
      this.refuse("crossing", term, message, name);
    } else {
      const message = `expected data in ${where}, met ${path}, which holds a function or a Task; only values cross`;
      this.refuse("crossing", term, message, name);
    }
  }

  /** Refuses Set items and Dict keys without an order. */
  private order(term: Term, use: Use): void {
    if (typeof term === "string" || "Param" in term) return;
    if ("Function" in term || "Task" in term) {
      if (use === ORDERED) this.unordered(term, "Function" in term ? "a function" : "a Task", "");
    } else if ("Named" in term) {
      const id = term.Named.declaration;
      if (use === ORDERED) {
        const path = this.path(id, "token") ?? this.path(id, "process");
        if (path !== undefined) this.unordered(term, path, this.nameOf(id));
      }
      this.eachArgument(term.Named, (arg, own) => this.order(arg, stronger(own, use)));
    } else {
      eachPart(term, use, (part, own) => this.order(part, own));
    }
  }

  private unordered(term: object, met: string, about: string): void {
    const message = `expected a Set item or Dict key that has an order, met ${met}; host types, functions and Tasks have none, use a \`List\` or another key`;
    this.refuse("order", term, message, about);
  }

  /** The arguments in value positions, each with the use of its parameter. */
  private eachArgument(
    named: { readonly declaration: string; readonly args: readonly Term[] },
    visit: (arg: Term, use: Use) => void,
  ): void {
    for (let i = 0; i < named.args.length; i++) {
      const use = this.usage.of(named.declaration, i);
      if (use !== PHANTOM) visit(named.args[i] as Term, use);
    }
  }

  /** The type with a trait and the members through which it has it, in a sentence; `undefined` for a type without it. */
  private path(id: string, trait: Trait): string | undefined {
    const reasons = this.traits[trait];
    if (!reasons.has(id)) return undefined;
    const steps: string[] = [];
    for (let reason = reasons.get(id); reason !== undefined; reason = reason.next === undefined ? undefined : reasons.get(reason.next)) {
      steps.push(reason.step);
    }
    // A long way is shown by its ends.
    const shown = steps.length <= 4 ? steps : [...steps.slice(0, 2), "…", ...steps.slice(-1)];
    return quoteName(shown.join(" → "));
  }

  private nameOf(id: string): string {
    return this.declarations.get(id)?.name ?? id;
  }

  private refuse(code: DeclarationCode, term: object, message: string, about: string): void {
    const place = this.program.places.get(term);
    if (place === undefined || this.refused.has(term)) return;
    this.refused.add(term);
    this.file?.faults.add({ code, start: place.start, end: place.end, message, about });
  }
}

/** A member's terms with the name it is shown by. */
function placedMembers(template: Template): readonly { readonly name: string; readonly type: Term }[] {
  if (template.kind === "record") return template.fields;
  if (template.kind !== "enum") return [];
  return template.constructors.flatMap(({ name, payload }) => {
    if (payload === null) return [];
    if ("named" in payload) return payload.named.map((field) => ({ name: `${name}.${field.name}`, type: field.type }));
    return payload.positional.map((type) => ({ name, type }));
  });
}

/**
 * Which declarations have a trait and why, the shortest way first: breadth first, from those that have it by themselves
 * to those that hold them in a value position.
 */
function findTraits(declarations: Declarations, usage: Usage): Record<Trait, Map<string, Reason>> {
  const holders = new Map<string, { readonly holder: string; readonly step: string }[]>();
  const traits: Record<Trait, Map<string, Reason>> = { process: new Map(), opaque: new Map(), token: new Map() };
  for (const [id, template] of declarations) {
    if (template.opaque) traits.opaque.set(id, { step: template.name, next: undefined });
    if (template.kind === "host") traits.token.set(id, { step: template.name, next: undefined });
    for (const { name, type } of placedMembers(template)) {
      const step = `${template.name}.${name}`;
      eachHeld(type, usage, (held) => {
        if (held === undefined) traits.process.set(id, { step, next: undefined });
        else if (holders.get(held)?.push({ holder: id, step }) === undefined) holders.set(held, [{ holder: id, step }]);
      });
    }
  }
  for (const reasons of Object.values(traits)) {
    // A Map is walked in insertion order, entries added on the way included: it is its own queue.
    for (const id of reasons.keys()) {
      for (const { holder, step } of holders.get(id) ?? []) if (!reasons.has(holder)) reasons.set(holder, { step, next: id });
    }
  }
  return traits;
}

/** The declarations that a term holds in value positions; `undefined` for a Function or Task. */
function eachHeld(term: Term, usage: Usage, visit: (id: string | undefined) => void): void {
  if (typeof term === "string" || "Param" in term) return;
  if ("Function" in term || "Task" in term) visit(undefined);
  else if ("Named" in term) {
    const { declaration, args } = term.Named;
    visit(declaration);
    for (let i = 0; i < args.length; i++) if (usage.of(declaration, i) !== PHANTOM) eachHeld(args[i] as Term, usage, visit);
  } else {
    eachPart(term, VALUE, (part) => eachHeld(part, usage, visit));
  }
}
