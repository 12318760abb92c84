/** Binary search and sorting for the ordered collections. */

/** A total order of the values of one type (R12): negative, zero or positive. */
export type Order<T> = (a: T, b: T) => number;

/** The order a collection is kept in, typed so that a set of cats is a set of animals, as a `ReadonlySet` is. */
export type KeptOrder<T> = { order(a: T, b: T): number }["order"];

/** The index of `key` among ascending items, or `-(insertion point) - 1`. */
export function search<T>(items: readonly T[], key: T, order: Order<T>): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const sign = order(items[middle] as T, key);
    if (sign === 0) return middle;
    if (sign < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -low - 1;
}

/** The first index whose item does not stand strictly after the one before it, or -1. */
export function firstOutOfOrder<T>(items: readonly T[], order: Order<T>): number {
  for (let i = 1; i < items.length; i++) {
    if (order(items[i - 1] as T, items[i] as T) >= 0) return i;
  }
  return -1;
}
