/** What parts two descriptors. Any difference is a change of the interface (*Exact identity and digest*). */
import { childPointer } from "../json/pointer.ts";
import type { Contract } from "./descriptor.ts";
import type { Json1Object, Json1Value } from "./model.ts";

/** One place where two descriptors differ; `before` or `after` is absent where there is no value on that side. */
export interface ContractChange {
  /** JSON Pointer into both descriptors. */
  readonly at: string;
  /** What stood there; absent for what is new. */
  readonly before?: Json1Value;
  /** What stands there now; absent for what is gone. */
  readonly after?: Json1Value;
}

/** How two contracts stand to each other. */
export interface ContractDifference {
  /** In order of their pointers; none for equal descriptors. */
  readonly changes: readonly ContractChange[];
  /**
   * How the two stand to each other: one interface; another contract; another version of one contract; or one URI and
   * version with two digests, which are incompatible and which no single source may claim both of.
   */
  readonly relation: "equal" | "other-contract" | "other-version" | "conflict";
}

/** Compares two descriptors as JSON/1 values: annotations count, the order of members does not. */
export function diffContracts(a: Contract, b: Contract): ContractDifference {
  const changes: ContractChange[] = [];
  compare(a.descriptor, b.descriptor, "", changes);
  return { changes, relation: relation(a, b, changes.length === 0) };
}

function relation(a: Contract, b: Contract, same: boolean): ContractDifference["relation"] {
  if (a.id !== b.id) return "other-contract";
  if (a.version !== b.version) return "other-version";
  return same ? "equal" : "conflict";
}

/** Descriptors are bounded to a depth that Schema/1 allows, and so is this. */
function compare(before: Json1Value, after: Json1Value, at: string, changes: ContractChange[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++) part(before[i], after[i], childPointer(at, i), changes);
  } else if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of [...names].sort()) part(before[name], after[name], childPointer(at, name), changes);
  } else changes.push({ at, before, after });
}

function part(before: Json1Value | undefined, after: Json1Value | undefined, at: string, changes: ContractChange[]): void {
  if (before === undefined) changes.push({ at, after: after as Json1Value });
  else if (after === undefined) changes.push({ at, before });
  else compare(before, after, at, changes);
}

function isObject(value: Json1Value): value is Json1Object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
