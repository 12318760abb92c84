/** What an evaluation is charged to (*The work meter*). */
import type { Json1Object } from "../model.ts";

/** What one validation has done so far, and may do. */
export class Meter {
  units = 0;
  readonly budget: number;
  /** How many members objects have that were counted for less than their members. */
  private counts: Map<Json1Object, number> | undefined;

  constructor(budget: number) {
    this.budget = budget;
  }

  /** Counts members at most once for each object: `minProperties` pays one unit for it, whatever the object's size. */
  members(object: Json1Object): number {
    this.counts ??= new Map();
    let count = this.counts.get(object);
    if (count === undefined) {
      count = Object.keys(object).length;
      this.counts.set(object, count);
    }
    return count;
  }
}

/** Thrown where the budget is passed. */
export const PAST_BUDGET: unique symbol = Symbol("past the budget");
