/** Random descriptions from a seed, mostly valid: for properties that must hold of every description. */
import { FlowError } from "../../src/json/errors.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { dict, func, host, list, named, option, param, pruned, record, set, spec, sum, task, tuple } from "./build.ts";

export type Random = (below: number) => number;

/** Mulberry32: small, and the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const PRIMITIVES = ["Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never", "json.Value"];

export interface Wishes {
  readonly templates?: number;
  readonly hosts?: boolean;
  /** Functions and Tasks, which make most descriptions unable to cross. */
  readonly functions?: boolean;
  readonly generic?: number;
}

/** A description whose templates need not be reached, inhabited or able to cross. */
export function randomDescription(random: Random, wishes: Wishes = {}): Record<string, JsonValue> {
  const count = 1 + random(wishes.templates ?? 5);
  const ids = Array.from({ length: count }, (_, i) => `t${i + 1}`);
  const arities = new Map(ids.map((id) => [id, random((wishes.generic ?? 2) + 1)]));

  function term(owner: string, arity: number, depth: number): JsonValue {
    const pick = random(depth > 3 ? 4 : 14);
    if (pick < 3) return PRIMITIVES[random(PRIMITIVES.length)] as string;
    if (pick === 3) return arity > 0 ? param(owner, random(arity)) : "Int";
    const inner = (): JsonValue => term(owner, arity, depth + 1);
    if (pick === 4) return list(inner());
    if (pick === 5) return set(inner());
    if (pick === 6) return option(inner());
    if (pick === 7) return dict(random(2) === 0 ? "Text" : inner(), inner());
    if (pick === 8) return tuple(inner(), inner());
    if (pick === 9 && wishes.functions === true) return random(2) === 0 ? task(inner()) : func([inner()], inner());
    const id = ids[random(count)] as string;
    return named(id, ...Array.from({ length: arities.get(id) ?? 0 }, inner));
  }

  const declarations: Record<string, JsonValue> = {};
  for (const [i, id] of ids.entries()) {
    const arity = arities.get(id) ?? 0;
    const generic = Array.from({ length: arity }, (_, p) => `A${p}`);
    const doc = random(3) === 0 ? `About ${id}.` : null;
    const changes = { generic, doc };
    const name = `N${i + 1}`;
    const member = (): JsonValue => term(id, arity, 1);
    const kind = random(wishes.hosts === false ? 6 : 7);
    if (kind < 3) {
      declarations[id] = record(name, Object.fromEntries(Array.from({ length: random(4) }, (_, f) => [`f${f}`, member()])), changes);
    } else if (kind < 6) {
      const payload = (): JsonValue => [null, [], [member()], [member(), member()], { a: member(), b: member() }][random(5)] as JsonValue;
      declarations[id] = sum(name, Object.fromEntries(Array.from({ length: random(4) }, (_, c) => [`C${c}`, payload()])), changes);
    } else {
      declarations[id] = host(name, changes);
    }
  }
  const generic = ["T", "U"].slice(0, random(3));
  const root = (): JsonValue => term("tool", generic.length, 1);
  return spec({ generic, params: { x: root(), y: root() }, ok: root(), err: root(), declarations });
}

/** The first valid description that a seed leads to. */
export function randomSpec(seed: number, wishes: Wishes = {}): Record<string, JsonValue> {
  const random = randomFrom(seed);
  for (;;) {
    const description = pruned(randomDescription(random, wishes));
    try {
      readTypeSpec(description);
      return description;
    } catch (caught) {
      if (!(caught instanceof FlowError)) throw caught;
    }
  }
}
