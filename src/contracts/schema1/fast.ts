/**
 * The fast evaluator: each schema node compiled once to a closure that gives the verdict and adds up the work meter,
 * and nothing else. What a node costs for a kind of value is a number known beforehand; only what depends on the value
 * is counted. No code is made from text, so it runs where a Content-Security-Policy forbids that.
 *
 * Its closures call each other as deeply as the schema's nodes follow one another: up to {@link FAST_HEIGHT}. Graphs
 * beyond are left to `explain.ts`, which has a stack of its own.
 */
import type { Json1Object, Json1Value } from "../model.ts";
import { commonCost, costOfArray, costOfObject, present } from "./cost.ts";
import { type Meter, PAST_BUDGET } from "./meter.ts";
import type { Place, SchemaNode } from "./node.ts";
import { acceptance, leaf, lengthRule, rangeRule, scalarRule } from "./scalar.ts";

/**
 * The longest chain of nodes that is compiled to closures. A node takes up to three frames, and the smallest stack met
 * (a Chromium worker's) holds some five thousand of these.
 */
export const FAST_HEIGHT = 256;

type Where = Place<boolean> | undefined;

/** Whether the value satisfies a node; its units are added to the meter. A node that is not `placed` needs no place. */
export type Evaluate = (value: Json1Value, meter: Meter, place: Where) => boolean;

/** Compiles the nodes of one graph, each once. */
export class FastCompiler {
  private readonly compiled: Evaluate[] = [];

  /** The closure of a node of height {@link FAST_HEIGHT} at most. */
  compile(node: SchemaNode): Evaluate {
    let evaluate = this.compiled[node.index];
    if (evaluate === undefined) {
      evaluate = node.always === undefined ? this.general(node) : constant(node.always);
      this.compiled[node.index] = evaluate;
    }
    return evaluate;
  }

  private all(nodes: readonly SchemaNode[]): readonly Evaluate[] {
    return nodes.map((node) => this.compile(node));
  }

  private general(node: SchemaNode): Evaluate {
    const accepts = acceptance(node.types);
    const common = commonCost(node);
    const stringCost = common + present(node.minLength, node.maxLength);
    const numberCost = common + present(node.minimum, node.exclusiveMinimum, node.maximum, node.exclusiveMaximum);
    const objectCost = common + costOfObject(node);
    const arrayCost = common + costOfArray(node);
    const length = node.minLength === undefined && node.maxLength === undefined ? undefined : lengthRule(node);
    const range = numberCost === common ? undefined : rangeRule(node);
    const object =
      objectCost === common && node.additionalProperties === undefined && node.properties === undefined ? undefined : this.objectRule(node);
    const array = arrayCost === common && node.contains === undefined ? undefined : this.arrayRule(node);
    const scalar = scalarRule(node);
    const inPlace = this.inPlaceRule(node);
    const { nulls, booleans, objects, arrays, integers, fractions, strings } = accepts;

    if (object === undefined && array === undefined && scalar === undefined) {
      if (inPlace === undefined) return leaf(accepts, common, { stringCost, numberCost, length, range });
      if (node.ref !== undefined && common === 2 && stringCost === 2 && numberCost === 2) return forward(inPlace);
    }

    return (value, meter, place) => {
      let valid: boolean;
      if (typeof value === "string") {
        meter.units += stringCost;
        valid = strings;
        if (length !== undefined && !length(value, meter)) valid = false;
      } else if (typeof value === "number") {
        meter.units += numberCost;
        valid = fractions || (integers && Number.isInteger(value));
        if (range !== undefined && !range(value)) valid = false;
      } else if (typeof value === "boolean") {
        meter.units += common;
        valid = booleans;
      } else if (value === null) {
        meter.units += common;
        valid = nulls;
      } else if (Array.isArray(value)) {
        meter.units += arrayCost;
        if (meter.units > meter.budget) throw PAST_BUDGET;
        valid = arrays;
        if (array !== undefined && !array(value, meter, place)) valid = false;
      } else {
        meter.units += objectCost;
        if (meter.units > meter.budget) throw PAST_BUDGET;
        valid = objects;
        if (object !== undefined && !object(value as Json1Object, meter, place)) valid = false;
      }
      if (meter.units > meter.budget) throw PAST_BUDGET;
      if (scalar !== undefined && valid) valid = scalar(value);
      if (inPlace !== undefined && !inPlace(value, meter, place)) valid = false;
      return valid;
    };
  }

  /** `$ref` and the combinators, which apply to every kind of value. Their units but those of `then` are paid already. */
  private inPlaceRule(node: SchemaNode): Evaluate | undefined {
    const rules: Evaluate[] = [];
    if (node.ref !== undefined) rules.push(this.target(node.ref));
    if (node.allOf !== undefined) rules.push(...this.all(node.allOf));
    if (node.anyOf !== undefined) rules.push(countRule(this.all(node.anyOf), 1, Number.POSITIVE_INFINITY));
    if (node.oneOf !== undefined) rules.push(countRule(this.all(node.oneOf), 1, 1));
    if (node.not !== undefined) {
      const negated = this.compile(node.not);
      rules.push((value, meter, place) => !negated(value, meter, place));
    }
    if (node.if !== undefined) rules.push(this.conditionRule(node.if, node.then, node.else));
    if (rules.length <= 1) return rules[0];
    return (value, meter, place) => {
      let valid = true;
      for (let i = 0; i < rules.length; i++) if (!(rules[i] as Evaluate)(value, meter, place)) valid = false;
      return valid;
    };
  }

  private target(node: SchemaNode): Evaluate {
    const evaluate = this.compile(node);
    if (!node.remembered) return evaluate;
    const { index } = node;
    return (value, meter, place) => {
      const here = place as Place<boolean>;
      const known = here.result(index);
      if (known !== undefined) return known;
      const valid = evaluate(value, meter, place);
      here.remember(index, valid);
      return valid;
    };
  }

  private conditionRule(condition: SchemaNode, consequence: SchemaNode | undefined, alternative: SchemaNode | undefined): Evaluate {
    const test = this.compile(condition);
    const onTrue = consequence === undefined ? undefined : this.compile(consequence);
    const onFalse = alternative === undefined ? undefined : this.compile(alternative);
    return (value, meter, place) => {
      const selected = test(value, meter, place) ? onTrue : onFalse;
      if (selected === undefined) return true;
      meter.units++;
      return selected(value, meter, place);
    };
  }

  private objectRule(node: SchemaNode): (object: Json1Object, meter: Meter, place: Where) => boolean {
    const names = [...(node.properties?.keys() ?? [])];
    const nodes = [...(node.properties?.values() ?? [])];
    const schemas = this.all(nodes);
    const placed = nodes.map((child) => child.placed);
    const wanted = names.map((name) => node.required?.includes(name) === true);
    const alsoWanted = (node.required ?? []).filter((name) => node.properties?.has(name) !== true);
    // Values made by other code than this room's reader may inherit these names.
    const inherited = names.map((name) => name in Object.prototype);
    const additional = this.additionalRule(node);
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = node;
    const counted = node.minProperties !== undefined || node.maxProperties !== undefined;
    const dependencies = this.dependencyRule(node);

    return (object, meter, place) => {
      let valid = true;
      let declared = 0;
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string;
        const member = object[name];
        if (member === undefined || (inherited[i] && !Object.hasOwn(object, name))) {
          if (wanted[i]) valid = false;
          continue;
        }
        declared++;
        const there = place !== undefined && placed[i] ? place.child(name) : undefined;
        if (!(schemas[i] as Evaluate)(member, meter, there)) valid = false;
      }
      for (let i = 0; i < alsoWanted.length; i++) if (!has(object, alsoWanted[i] as string)) valid = false;
      if (additional !== undefined && !additional(object, declared, meter, place)) valid = false;
      if (counted) {
        const count = meter.members(object);
        if (count < minProperties || count > maxProperties) valid = false;
      }
      if (dependencies !== undefined && !dependencies(object, meter, place)) valid = false;
      return valid;
    };
  }

  private additionalRule(node: SchemaNode): ((object: Json1Object, declared: number, meter: Meter, place: Where) => boolean) | undefined {
    const { additionalProperties: other, properties } = node;
    if (other === undefined) return undefined;
    if (other.always !== undefined) {
      // Whatever the undeclared members are, each costs its one unit and has the same verdict.
      const { always } = other;
      return (object, declared, meter) => {
        const count = Object.keys(object).length;
        meter.units += count + (count - declared);
        return always || count === declared;
      };
    }
    const evaluate = this.compile(other);
    const { placed } = other;
    return (object, _declared, meter, place) => {
      const names = Object.keys(object);
      meter.units += names.length;
      if (meter.units > meter.budget) throw PAST_BUDGET;
      let valid = true;
      for (const name of names) {
        if (properties?.has(name) === true) continue;
        if (!evaluate(object[name] as Json1Value, meter, place !== undefined && placed ? place.child(name) : undefined)) valid = false;
      }
      return valid;
    };
  }

  private dependencyRule(node: SchemaNode): ((object: Json1Object, meter: Meter, place: Where) => boolean) | undefined {
    if (node.dependentRequired === undefined && node.dependentSchemas === undefined) return undefined;
    const lists = [...(node.dependentRequired ?? [])];
    const schemas = [...(node.dependentSchemas ?? [])].map(([trigger, child]) => ({ trigger, evaluate: this.compile(child) }));
    return (object, meter, place) => {
      let valid = true;
      for (const [trigger, names] of lists) {
        if (!has(object, trigger)) continue;
        meter.units += names.length;
        for (const name of names) if (!has(object, name)) valid = false;
      }
      for (const { trigger, evaluate } of schemas) {
        if (has(object, trigger) && !evaluate(object, meter, place)) valid = false;
      }
      return valid;
    };
  }

  private arrayRule(node: SchemaNode): (items: readonly Json1Value[], meter: Meter, place: Where) => boolean {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
    const prefixNodes = node.prefixItems ?? [];
    const prefix = this.all(prefixNodes);
    const rest = node.items === undefined ? undefined : this.eachRule(node.items);
    const matches = node.contains === undefined ? undefined : this.countMatches(node.contains);
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = node;

    return (items, meter, place) => {
      const count = items.length;
      let valid = count >= minItems && count <= maxItems;
      for (let i = 0; i < prefix.length && i < count; i++) {
        const there = place !== undefined && (prefixNodes[i] as SchemaNode).placed ? place.child(i) : undefined;
        if (!(prefix[i] as Evaluate)(items[i] as Json1Value, meter, there)) valid = false;
      }
      if (rest !== undefined && !rest(items, prefix.length, meter, place)) valid = false;
      if (matches !== undefined) {
        const found = matches(items, meter, place);
        if (found < minContains || found > maxContains) valid = false;
      }
      return valid;
    };
  }

  private eachRule(node: SchemaNode): (items: readonly Json1Value[], from: number, meter: Meter, place: Where) => boolean {
    const { always, placed } = node;
    if (always !== undefined) {
      return (items, from, meter) => {
        if (items.length <= from) return true;
        meter.units += items.length - from;
        return always;
      };
    }
    const evaluate = this.compile(node);
    return (items, from, meter, place) => {
      let valid = true;
      for (let i = from; i < items.length; i++) {
        if (!evaluate(items[i] as Json1Value, meter, place !== undefined && placed ? place.child(i) : undefined)) valid = false;
      }
      return valid;
    };
  }

  private countMatches(node: SchemaNode): (items: readonly Json1Value[], meter: Meter, place: Where) => number {
    const evaluate = this.compile(node);
    const { placed } = node;
    return (items, meter, place) => {
      meter.units += items.length;
      let found = 0;
      for (let i = 0; i < items.length; i++) {
        if (evaluate(items[i] as Json1Value, meter, place !== undefined && placed ? place.child(i) : undefined)) found++;
      }
      return found;
    };
  }
}

/** A node that is nothing but a reference. */
function forward(target: Evaluate): Evaluate {
  return (value, meter, place) => {
    meter.units += 2;
    if (meter.units > meter.budget) throw PAST_BUDGET;
    return target(value, meter, place);
  };
}

function constant(verdict: boolean): Evaluate {
  return (_value, meter) => {
    if (++meter.units > meter.budget) throw PAST_BUDGET;
    return verdict;
  };
}

function has(object: Json1Object, name: string): boolean {
  return Object.hasOwn(object, name);
}

function countRule(branches: readonly Evaluate[], least: number, most: number): Evaluate {
  return (value, meter, place) => {
    let count = 0;
    for (let i = 0; i < branches.length; i++) if ((branches[i] as Evaluate)(value, meter, place)) count++;
    return count >= least && count <= most;
  };
}
