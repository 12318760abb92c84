/** FlowDict: an immutable dictionary, ordered by the key type (R11, R12). */
import { naturalOrder } from "./natural.ts";
import { type KeptOrder, type Order, search } from "./search.ts";

/**
 * An immutable, ordered dictionary with the members of a `ReadonlyMap`. Keys are compared by the order of the key
 * type, not by identity. Looking up takes O(log n) comparisons.
 */
export class FlowDict<K, V> {
  /** @internal Ascending. */
  readonly sortedKeys: readonly K[];
  /** @internal The value of each key, at the same index. */
  readonly sortedValues: readonly V[];
  /** The order the keys are kept in. */
  readonly order: KeptOrder<K>;

  private constructor(keys: readonly K[], values: readonly V[], order: Order<K>) {
    this.sortedKeys = keys;
    this.sortedValues = values;
    this.order = order;
  }

  /**
   * A dictionary of the given entries; of equal keys the last entry stands, as in a `Map`.
   * @param order The order of the key type, a codec's `compare`; see `FlowSet.from` for keys that need none.
   * @throws FlowError `kind` where the natural order meets another value.
   */
  static from<K, V>(entries: Iterable<readonly [K, V]>, order: Order<K> = naturalOrder): FlowDict<K, V> {
    const sorted = [...entries].sort((a, b) => order(a[0], b[0]));
    const last = sorted.filter((entry, i) => i === sorted.length - 1 || order(entry[0], (sorted[i + 1] as readonly [K, V])[0]) !== 0);
    return new FlowDict(
      last.map((entry) => entry[0]),
      last.map((entry) => entry[1]),
      order,
    );
  }

  /** @internal Keys that already ascend strictly, and their values; the arrays are kept, not copied. */
  static ascending<K, V>(keys: readonly K[], values: readonly V[], order: Order<K>): FlowDict<K, V> {
    return new FlowDict(keys, values, order);
  }

  /** How many entries there are. */
  get size(): number {
    return this.sortedKeys.length;
  }

  /** The value of a key; `undefined` where it has none. */
  get(key: K): V | undefined {
    const at = search(this.sortedKeys, key, this.order);
    return at < 0 ? undefined : this.sortedValues[at];
  }

  /** Whether it has the key, by the order of keys. */
  has(key: K): boolean {
    return search(this.sortedKeys, key, this.order) >= 0;
  }

  /** This dictionary with a key's value set. */
  with(key: K, value: V): FlowDict<K, V> {
    const at = search(this.sortedKeys, key, this.order);
    const keys = [...this.sortedKeys];
    const values = [...this.sortedValues];
    if (at >= 0) values[at] = value;
    else {
      keys.splice(-at - 1, 0, key);
      values.splice(-at - 1, 0, value);
    }
    return new FlowDict(keys, values, this.order);
  }

  /** This dictionary without a key; itself where it has none equal to it. */
  without(key: K): FlowDict<K, V> {
    const at = search(this.sortedKeys, key, this.order);
    if (at < 0) return this;
    const others = (_: unknown, i: number) => i !== at;
    return new FlowDict(this.sortedKeys.filter(others), this.sortedValues.filter(others), this.order);
  }

  /**
   * Calls a function for each entry, in order of the keys.
   * @param receiver What `this` is in `visit`.
   */
  forEach(visit: (value: V, key: K, dict: ReadonlyMap<K, V>) => void, receiver?: unknown): void {
    for (let i = 0; i < this.sortedKeys.length; i++) visit.call(receiver, this.sortedValues[i] as V, this.sortedKeys[i] as K, this);
  }

  /** The keys, ascending. */
  keys(): MapIterator<K> {
    return this.sortedKeys.values();
  }

  /** The values, in order of their keys. */
  values(): MapIterator<V> {
    return this.sortedValues.values();
  }

  /** The entries, in order of their keys. */
  entries(): MapIterator<[K, V]> {
    return this.sortedKeys.map((key, i): [K, V] => [key, this.sortedValues[i] as V]).values();
  }

  /** The entries, in order of their keys. */
  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  /** What `Object.prototype.toString` shows. */
  get [Symbol.toStringTag](): string {
    return "FlowDict";
  }
}
