/** FlowSet: an immutable set of values of one type, in the order of that type (R11, R12). */
import { naturalOrder } from "./natural.ts";
import { firstOutOfOrder, type KeptOrder, type Order, search } from "./search.ts";

/**
 * An immutable, ordered set with the members of a `ReadonlySet`. Membership goes by the order of the item type, not
 * by identity: two equal records are one item. Looking up takes O(log n) comparisons.
 */
export class FlowSet<T> {
  /** @internal */
  readonly items: readonly T[];
  /** The order it is kept in. */
  readonly order: KeptOrder<T>;

  private constructor(items: readonly T[], order: Order<T>) {
    this.items = items;
    this.order = order;
  }

  /**
   * A set of the given items; equal ones are kept once, the first of them.
   * @param order The order of the item type, a codec's `compare`. Without one, items must be values that carry their
   *   own order: `bigint`, string, boolean, Decimal, Instant, Duration or `Uint8Array`, all of one kind.
   * @throws FlowError `kind` where the natural order meets another value.
   */
  static from<T>(items: Iterable<T>, order: Order<T> = naturalOrder): FlowSet<T> {
    const sorted = [...items].sort(order);
    if (firstOutOfOrder(sorted, order) < 0) return new FlowSet(sorted, order);
    return new FlowSet(
      sorted.filter((item, i) => i === 0 || order(sorted[i - 1] as T, item) !== 0),
      order,
    );
  }

  /** @internal Items that already ascend strictly; the array is kept, not copied. */
  static ascending<T>(items: readonly T[], order: Order<T>): FlowSet<T> {
    return new FlowSet(items, order);
  }

  /** How many items there are. */
  get size(): number {
    return this.items.length;
  }

  /** Whether it has the item, by the order of items. */
  has(value: T): boolean {
    return search(this.items, value, this.order) >= 0;
  }

  /** This set with one more item; itself where it holds an equal one. */
  with(value: T): FlowSet<T> {
    const at = search(this.items, value, this.order);
    return at >= 0 ? this : new FlowSet([...this.items.slice(0, -at - 1), value, ...this.items.slice(-at - 1)], this.order);
  }

  /** This set without an item; itself where it holds none equal to it. */
  without(value: T): FlowSet<T> {
    const at = search(this.items, value, this.order);
    return at < 0 ? this : new FlowSet([...this.items.slice(0, at), ...this.items.slice(at + 1)], this.order);
  }

  /**
   * Calls a function for each item, ascending.
   * @param receiver What `this` is in `visit`.
   */
  forEach(visit: (value: T, key: T, set: FlowSet<T>) => void, receiver?: unknown): void {
    for (const item of this.items) visit.call(receiver, item, item, this);
  }

  /** The items, ascending. */
  values(): SetIterator<T> {
    return this.items.values();
  }

  /** The items, ascending. */
  keys(): SetIterator<T> {
    return this.values();
  }

  /** Each item twice, ascending, as a Set of JavaScript has it. */
  entries(): SetIterator<[T, T]> {
    return this.items.map((item): [T, T] => [item, item]).values();
  }

  /** The items, ascending. */
  [Symbol.iterator](): SetIterator<T> {
    return this.values();
  }

  /** What `Object.prototype.toString` shows. */
  get [Symbol.toStringTag](): string {
    return "FlowSet";
  }
}
