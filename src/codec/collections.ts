/** List, Tuple and Set (R11). */
import { Refusal } from "../json/errors.ts";
import type { Output } from "../json/output.ts";
import { writeItems } from "../json/write.ts";
import { firstOutOfOrder, type Order } from "../values/search.ts";
import { FlowSet } from "../values/set.ts";
import { type Account, GIVE_UP } from "./account.ts";
import { type DecodeContext, type Node, refuseKind, titled, titles, under } from "./node.ts";
import { textNode } from "./scalars.ts";

const container = { takesNull: false, takesUndefined: false } as const;

export function listNode(item: Node): Node {
  const title = titled(`List<${item.title}>`);
  return {
    ...container,
    title,
    decode(json, context) {
      if (!Array.isArray(json)) throw refuseKind(`${title} (an array)`, json);
      return decodeItems(json, item, context);
    },
    take: (json, account) => takeItems(json, item, account),
    write(value, output) {
      if (!Array.isArray(value)) throw refuseKind(`${title} (an array)`, value);
      if (item !== textNode || !output.strings(value)) writeItems(value, output, item.write);
    },
    compare: (a, b) => compareItems(a as unknown[], b as unknown[], item.compare),
  };
}

export function setNode(item: Node): Node {
  const title = titled(`Set<${item.title}>`);
  // One function for each node, so that a set tells by it which type ordered it.
  const order = (a: unknown, b: unknown) => item.compare(a, b);
  return {
    ...container,
    title,
    decode(json, context) {
      if (!Array.isArray(json)) throw refuseKind(`${title} (an array)`, json);
      const items = decodeItems(json, item, context);
      const fault = firstOutOfOrder(items, order);
      if (fault >= 0) throw outOfOrder(title, "items").under(fault);
      return FlowSet.ascending(items, order);
    },
    take(json, account) {
      const items = takeItems(json, item, account);
      if (firstOutOfOrder(items, order) >= 0) throw GIVE_UP;
      return FlowSet.ascending(items, order);
    },
    write(value, output) {
      if (!(value instanceof FlowSet)) throw refuseKind(`${title} (a FlowSet)`, value);
      const write = ({ items }: FlowSet<unknown>) => writeItems(items, output, item.write);
      writeAscending(value, value.items, order, output, write, () => {
        const sorted = FlowSet.from(value.items, order);
        if (sorted.size === value.size) return sorted;
        throw new Refusal("order", `${title} without equal items`, "items that are equal in this type's order");
      });
    },
    compare(a, b) {
      return compareItems(inOrder(a as FlowSet<unknown>, order).items, inOrder(b as FlowSet<unknown>, order).items, order);
    },
  };
}

/**
 * Writes a set or dict so that its items ascend. They are built in the order of any codec or function, and items may
 * have been changed since, so the order is looked at whoever made it. Writing comes first: it checks the items, and
 * only items of the type can be asked for their order.
 */
export function writeAscending<T>(
  collection: T,
  items: readonly unknown[],
  order: Order<unknown>,
  output: Output,
  write: (it: T) => void,
  sort: () => T,
): void {
  const mark = output.mark();
  write(collection);
  output.unmark();
  if (firstOutOfOrder(items, order) < 0) return;
  output.rewind(mark);
  write(sort());
}

function inOrder(set: FlowSet<unknown>, order: Order<unknown>): FlowSet<unknown> {
  return set.order === order ? set : FlowSet.from(set.items, order);
}

/** A tuple, and the positional parts of a payload: an array of exactly the given parts. */
export function tupleNode(parts: readonly Node[], title: string = titled(`(${titles(parts)})`)): Node {
  const size = parts.length;
  return {
    ...container,
    title,
    decode(json, context) {
      if (!Array.isArray(json) || json.length !== size)
        throw refuseKind(`${title} (an array of ${size} item${size === 1 ? "" : "s"})`, json);
      return parts.map((part, i) => decodePart(json, i, part, context));
    },
    take(json, account) {
      if (!Array.isArray(json) || json.length !== size) throw GIVE_UP;
      account.array(size);
      account.enter();
      const values = parts.map((part, i) => part.take(json[i], account));
      account.leave();
      return values;
    },
    write(value, output) {
      if (!Array.isArray(value) || value.length !== size) throw refuseKind(`${title} (an array of ${size})`, value);
      writeParts(value, parts, output);
    },
    compare(a, b) {
      for (let i = 0; i < size; i++) {
        const sign = (parts[i] as Node).compare((a as unknown[])[i], (b as unknown[])[i]);
        if (sign !== 0) return sign;
      }
      return 0;
    },
  };
}

/** An array each of whose items has a type of its own. */
export function writeParts(values: readonly unknown[], parts: readonly Node[], output: Output): void {
  let i = 0;
  writeItems(values, output, (value) => (parts[i++] as Node).write(value, output));
}

function decodeItems(json: readonly unknown[], item: Node, context: DecodeContext): unknown[] {
  const items: unknown[] = [];
  try {
    for (let i = 0; i < json.length; i++) items.push(item.decode(json[i], context));
  } catch (caught) {
    throw under(caught, items.length);
  }
  return items;
}

/** The items of a parsed array, in the array itself but for numbers. */
function takeItems(json: unknown, item: Node, account: Account): unknown[] {
  if (!Array.isArray(json)) throw GIVE_UP;
  const { length } = json;
  account.array(length);
  if (length === 0) return json;
  account.enter();
  let items: unknown[] = json;
  if (item.takeAll !== undefined) items = item.takeAll(json, account);
  else {
    for (let i = 0; i < length; i++) {
      const taken = item.take(json[i], account);
      if (taken !== json[i]) json[i] = taken;
    }
  }
  account.leave();
  return items;
}

export function decodePart(json: readonly unknown[], i: number, part: Node, context: DecodeContext): unknown {
  try {
    return part.decode(json[i], context);
  } catch (caught) {
    throw under(caught, i);
  }
}

/** A list is before another at the first item that is, or as a prefix of it. */
export function compareItems(a: readonly unknown[], b: readonly unknown[], order: Order<unknown>): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const sign = order(a[i], b[i]);
    if (sign !== 0) return sign;
  }
  return a.length - b.length;
}

export function outOfOrder(title: string, what: "items" | "keys"): Refusal {
  return new Refusal("order", `${title} with ${what} in strictly ascending order`, "one that is not after the one before it");
}
