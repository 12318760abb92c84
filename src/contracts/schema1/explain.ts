/**
 * The explaining evaluator: keyword by keyword as the table of *The work meter* has them, on a stack of its own, with
 * the place and the reason of every refusal. It runs where a value has been rejected already, and in place of the fast
 * evaluator for schemas whose nodes follow one another too deeply for the stack.
 */
import { quoted } from "../../json/errors.ts";
import { childPointer } from "../../json/pointer.ts";
import { isObject, type Json1Object, type Json1Value, sortedNames } from "../model.ts";
import { scalarLength } from "./cost.ts";
import { describeValue } from "./describe.ts";
import type { FastCompiler } from "./fast.ts";
import { Meter, PAST_BUDGET } from "./meter.ts";
import { Place, type SchemaNode, TYPE_BITS, typeBits } from "./node.ts";

/** One reason why a value does not satisfy a schema. */
export interface Reason {
  /** The JSON Pointer of the value that was refused. */
  readonly instance: string;
  /** The JSON Pointer of the keyword that refused it, or of the `false` schema. */
  readonly schema: string;
  /** The keyword of the schema that refuses the value. */
  readonly keyword: string;
  /** What was expected and what was met, for people. */
  readonly message: string;
}

/** The result of one pair. A refusal of its own has a message; one of a schema that was evaluated for it, a cause. */
interface Judgement {
  readonly valid: boolean;
  readonly node: SchemaNode;
  readonly place: Place<Judgement>;
  readonly faults: readonly Fault[];
}

interface Fault {
  readonly keyword: string;
  /** Left out where the keyword only passes on what its schemas refused. */
  readonly message?: string;
  readonly causes?: readonly Judgement[];
}

/** A pair that has to be judged before its asker can go on. */
interface Ask {
  readonly node: SchemaNode;
  readonly value: Json1Value;
  readonly place: Place<Judgement>;
}

type Judging = Generator<Ask, Judgement, Judgement>;
type Step = Generator<Ask, void, Judgement>;

/** What judgements of one value have in common. */
interface Task {
  readonly meter: Meter;
  /** The most reasons to tell. */
  readonly most: number;
  /** A quick verdict on what lies below a refused value, where the units are known already. */
  readonly probe: Probe | undefined;
}

/**
 * Evaluates a value and tells why it is refused.
 * @param most The most reasons to tell.
 * @returns The verdict, and the reasons in the order of the schema's keywords and RFC 8785's of members.
 */
export function explain(root: SchemaNode, value: Json1Value, meter: Meter, most: number): { valid: boolean; reasons: readonly Reason[] } {
  const verdict = run({ node: root, value, place: new Place() }, { meter, most, probe: undefined });
  return { valid: verdict.valid, reasons: verdict.valid ? [] : reasonsOf(verdict, most) };
}

/**
 * The reasons for a refusal that the fast evaluator has come to, which has counted the units as well: what it accepts is
 * passed over, and so are reasons past the most that are told.
 * @param units What the whole evaluation took.
 */
export function explainRefusal(
  root: SchemaNode,
  value: Json1Value,
  compiler: FastCompiler,
  units: number,
  most: number,
): readonly Reason[] {
  const probe = new Probe(compiler, PROBED * units);
  const task = { meter: new Meter(units), most, probe };
  return reasonsOf(run({ node: root, value, place: new Place() }, task), most);
}

/**
 * How many times the work of the evaluation may be done again by probing. Below each refused value all is probed, so
 * that a refusal far down would otherwise cost as many times as it is deep.
 */
const PROBED = 4;

/** Tells by the fast evaluator what is accepted, until it has done its share of work. */
class Probe {
  private readonly compiler: FastCompiler;
  private readonly meter: Meter;
  private isOver = false;

  constructor(compiler: FastCompiler, units: number) {
    this.compiler = compiler;
    this.meter = new Meter(units);
  }

  /** Whether a pair is accepted; `false` also where it is not known. */
  accepts({ node, value }: Ask): boolean {
    if (this.isOver) return false;
    try {
      return this.compiler.compile(node)(value, this.meter, node.placed ? new Place<boolean>() : undefined);
    } catch (caught) {
      if (caught !== PAST_BUDGET) throw caught;
      this.isOver = true;
      return false;
    }
  }
}

function run(root: Ask, task: Task): Judgement {
  const { probe } = task;
  const stack: { judging: Judging; ask: Ask }[] = [];
  let answer: Judgement | undefined;
  let ask: Ask | undefined = root;
  for (;;) {
    if (ask !== undefined) {
      answer = ask.place.result(ask.node.index);
      if (answer === undefined && ask !== root && probe?.accepts(ask) === true) answer = accepted(ask);
      if (answer === undefined) stack.push({ judging: new Judge(ask, task).judge(), ask });
    }
    const top = stack.at(-1);
    if (top === undefined) return answer as Judgement;
    // A generator that has just been made takes no answer; the one given to its first `next` is dropped.
    const step = top.judging.next(answer as Judgement);
    if (step.done !== true) {
      ask = step.value;
      continue;
    }
    ask = undefined;
    answer = step.value;
    // Only a definition can be come to again (see `plan.ts`).
    if (top.ask.node.remembered) top.ask.place.remember(top.ask.node.index, answer);
    stack.pop();
    if (stack.length === 0) return answer;
  }
}

const NO_FAULTS: readonly Fault[] = [];

function accepted({ node, place }: Ask): Judgement {
  return { valid: true, node, place, faults: NO_FAULTS };
}

class Judge {
  private readonly node: SchemaNode;
  private readonly value: Json1Value;
  private readonly place: Place<Judgement>;
  private readonly meter: Meter;
  private faults: Fault[] | undefined;
  /** How many more refusals below are sure to fill the reasons that are told. */
  private missing: number;

  constructor(ask: Ask, { meter, most, probe }: Task) {
    this.node = ask.node;
    this.value = ask.value;
    this.place = ask.place;
    this.meter = meter;
    this.missing = probe === undefined ? Number.POSITIVE_INFINITY : most;
  }

  *judge(): Judging {
    const { node, value, place } = this;
    this.charge(1);
    if (node.always !== undefined) return { valid: node.always, node, place, faults: NO_FAULTS };
    this.scalars();
    if (node.ref !== undefined) {
      this.charge(1);
      this.pass("$ref", yield { node: node.ref, value, place });
    }
    yield* this.combinators();
    if (typeof value === "string") this.lengths(value);
    else if (typeof value === "number") this.ranges(value);
    else if (Array.isArray(value)) yield* this.items(value);
    else if (isObject(value)) yield* this.members(value);
    return { valid: this.faults === undefined, node, place, faults: this.faults ?? NO_FAULTS };
  }

  private charge(units: number): void {
    this.meter.units += units;
    if (this.meter.units > this.meter.budget) throw PAST_BUDGET;
  }

  private fault(fault: Fault): void {
    if (this.faults === undefined) this.faults = [fault];
    else this.faults.push(fault);
  }

  private refuse(keyword: string, expected: string, causes?: readonly Judgement[]): void {
    const message = `expected ${expected}, met ${describeValue(this.value)}`;
    this.fault(causes === undefined ? { keyword, message } : { keyword, message, causes });
  }

  /** Passes on the refusal of a schema that has to accept. */
  private pass(keyword: string, judgement: Judgement): void {
    if (judgement.valid) return;
    this.fault({ keyword, causes: [judgement] });
    // What may be come to again by another way is told once, and would not fill its place.
    if (!judgement.node.placed) this.missing--;
  }

  private scalars(): void {
    const { node, value } = this;
    if (node.types !== undefined) {
      this.charge(node.types.length);
      const bits = typeBits(value);
      if (!node.types.some((name) => ((TYPE_BITS[name] as number) & bits) !== 0)) this.refuse("type", node.types.join(" or "));
    }
    if (node.const !== undefined) {
      this.charge(1);
      if (node.const.value !== value) this.refuse("const", describeValue(node.const.value));
    }
    if (node.enum !== undefined) {
      this.charge(node.enum.length);
      if (!node.enum.some((member) => member === value)) this.refuse("enum", `one of ${node.enum.length} values`);
    }
  }

  private *combinators(): Step {
    const { node, value, place } = this;
    for (const branch of node.allOf ?? []) {
      this.charge(1);
      this.pass("allOf", yield { node: branch, value, place });
    }
    if (node.anyOf !== undefined) yield* this.branches("anyOf", node.anyOf);
    if (node.oneOf !== undefined) yield* this.branches("oneOf", node.oneOf);
    if (node.not !== undefined) {
      this.charge(1);
      if ((yield { node: node.not, value, place }).valid) this.refuse("not", "a value that the schema refuses");
    }
    if (node.if !== undefined) {
      this.charge(1);
      const keyword = (yield { node: node.if, value, place }).valid ? "then" : "else";
      const selected = node[keyword];
      if (selected !== undefined) {
        this.charge(1);
        this.pass(keyword, yield { node: selected, value, place });
      }
    }
  }

  private *branches(keyword: "anyOf" | "oneOf", branches: readonly SchemaNode[]): Step {
    const { value, place } = this;
    const refused: Judgement[] = [];
    for (const branch of branches) {
      this.charge(1);
      const judgement = yield { node: branch, value, place };
      if (!judgement.valid) refused.push(judgement);
    }
    const accepted = branches.length - refused.length;
    if (accepted === 0) this.refuse(keyword, "a value that one of the schemas accepts", refused);
    else if (accepted > 1 && keyword === "oneOf") this.refuse(keyword, `a value that exactly one of the schemas accepts, not ${accepted}`);
  }

  private lengths(text: string): void {
    const { minLength, maxLength } = this.node;
    if (minLength === undefined && maxLength === undefined) return;
    const length = scalarLength(text);
    this.charge(length);
    this.bound("minLength", length, minLength, "characters");
    this.bound("maxLength", length, maxLength, "characters");
  }

  /** A count with a `min…` or `max…` keyword; 1 unit where it is present. */
  private bound(keyword: string, count: number, limit: number | undefined, what: string): void {
    if (limit === undefined) return;
    this.charge(1);
    const least = keyword.startsWith("min");
    if (least ? count < limit : count > limit) this.refuse(keyword, `at ${least ? "least" : "most"} ${limit} ${what}, not ${count}`);
  }

  private ranges(value: number): void {
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = this.node;
    const range = (keyword: string, limit: number | undefined, holds: (limit: number) => boolean, expected: string): void => {
      if (limit === undefined) return;
      this.charge(1);
      if (!holds(limit)) this.refuse(keyword, `${expected} ${limit}`);
    };
    range("minimum", minimum, (limit) => value >= limit, "a number of at least");
    range("exclusiveMinimum", exclusiveMinimum, (limit) => value > limit, "a number greater than");
    range("maximum", maximum, (limit) => value <= limit, "a number of at most");
    range("exclusiveMaximum", exclusiveMaximum, (limit) => value < limit, "a number less than");
  }

  private *items(items: readonly Json1Value[]): Step {
    const { node, place } = this;
    const prefix = node.prefixItems ?? [];
    this.charge(prefix.length);
    for (let i = 0; i < prefix.length && i < items.length; i++) {
      this.pass("prefixItems", yield { node: prefix[i] as SchemaNode, value: items[i] as Json1Value, place: place.child(i) });
    }
    if (node.items !== undefined) {
      this.charge(1);
      for (let i = prefix.length; i < items.length && this.missing > 0; i++) {
        this.pass("items", yield { node: node.items, value: items[i] as Json1Value, place: place.child(i) });
      }
    }
    if (node.contains !== undefined) {
      let found = 0;
      for (let i = 0; i < items.length; i++) {
        this.charge(1);
        if ((yield { node: node.contains, value: items[i] as Json1Value, place: place.child(i) }).valid) found++;
      }
      if (node.minContains === undefined && found === 0) this.refuse("contains", "at least 1 item that the schema accepts, not 0");
      this.bound("minContains", found, node.minContains, "items that the schema accepts");
      this.bound("maxContains", found, node.maxContains, "items that the schema accepts");
    }
    this.bound("minItems", items.length, node.minItems, "items");
    this.bound("maxItems", items.length, node.maxItems, "items");
  }

  private *members(object: Json1Object): Step {
    const { node, place } = this;
    if (node.properties !== undefined) {
      this.charge(node.properties.size);
      for (const name of [...node.properties.keys()].sort()) {
        if (!Object.hasOwn(object, name)) continue;
        const member = { node: node.properties.get(name) as SchemaNode, value: object[name] as Json1Value, place: place.child(name) };
        this.pass("properties", yield member);
      }
    }
    for (const name of node.required ?? []) {
      this.charge(1);
      if (!Object.hasOwn(object, name)) this.refuse("required", `the member ${quoted(name)}`);
    }
    if (node.additionalProperties !== undefined) {
      const names = sortedNames(object);
      this.charge(names.length);
      for (const name of names) {
        if (node.properties?.has(name) === true) continue;
        if (this.missing <= 0) break;
        const member = { node: node.additionalProperties, value: object[name] as Json1Value, place: place.child(name) };
        this.pass("additionalProperties", yield member);
      }
    }
    if (node.minProperties !== undefined || node.maxProperties !== undefined) {
      const count = this.meter.members(object);
      this.bound("minProperties", count, node.minProperties, "members");
      this.bound("maxProperties", count, node.maxProperties, "members");
    }
    yield* this.dependencies(object);
  }

  private *dependencies(object: Json1Object): Step {
    const { node, place } = this;
    for (const [trigger, names] of node.dependentRequired ?? []) {
      this.charge(1);
      if (!Object.hasOwn(object, trigger)) continue;
      this.charge(names.length);
      for (const name of names) {
        if (Object.hasOwn(object, name)) continue;
        this.refuse("dependentRequired", `the member ${quoted(name)} beside ${quoted(trigger)}`);
      }
    }
    for (const [trigger, schema] of node.dependentSchemas ?? []) {
      this.charge(1);
      if (Object.hasOwn(object, trigger)) this.pass("dependentSchemas", yield { node: schema, value: object, place });
    }
  }
}

/** The reasons below a refusal, each pair told once although several ways may lead to it. */
function reasonsOf(root: Judgement, most: number): readonly Reason[] {
  const reasons: Reason[] = [];
  const told = new Set<Judgement>();
  const stack = [{ judgement: root, keyword: "false" }];
  for (let top = stack.pop(); top !== undefined && reasons.length < most; top = stack.pop()) {
    const { judgement, keyword } = top;
    if (told.has(judgement)) continue;
    told.add(judgement);
    const { node, place, faults } = judgement;
    if (node.always === false) {
      reasons.push({ instance: place.pointer(), schema: node.pointer, keyword, message: "expected nothing here: the schema is false" });
      continue;
    }
    for (const fault of faults) {
      if (fault.message === undefined || reasons.length === most) continue;
      const { message } = fault;
      reasons.push({ instance: place.pointer(), schema: childPointer(node.pointer, fault.keyword), keyword: fault.keyword, message });
    }
    // The stack gives back the last one first.
    for (const fault of faults.toReversed()) {
      for (const cause of fault.causes?.toReversed() ?? []) stack.push({ judgement: cause, keyword: fault.keyword });
    }
  }
  return reasons;
}
