/** List, Tuple, Set and Dict (R11). */

import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import type { Limits } from "../json/limits.ts";
import { tooMany } from "../json/read.ts";
import { compareCodePoints } from "../json/text.ts";
import { describeJson } from "../json/value.ts";
import { writeString } from "../json/write.ts";
import { FlowDict } from "../values/dict.ts";
import { firstOutOfOrder } from "../values/search.ts";
import { FlowSet } from "../values/set.ts";
import { type DecodeContext, descend, type EncodeContext, isObject, type Node, refuseKind, titled, titles, under } from "./node.ts";

const container = { takesNull: false, takesUndefined: false } as const;

export function listNode(item: Node): Node {
  const title = titled(`List<${item.title}>`);
  return {
    ...container,
    title,
    children: () => [item],
    decode(json, context) {
      if (!Array.isArray(json)) throw refuseKind(`${title} (an array)`, json);
      return decodeItems(json, item, context);
    },
    write(value, context) {
      if (!Array.isArray(value)) throw refuseKind(`${title} (an array)`, value);
      return writeItems(value, item, context);
    },
    compare: (a, b) => compareItems(a as unknown[], b as unknown[], item),
  };
}

export function setNode(item: Node): Node {
  const title = titled(`Set<${item.title}>`);
  const order = (a: unknown, b: unknown) => item.compare(a, b);
  return {
    ...container,
    title,
    children: () => [item],
    decode(json, context) {
      if (!Array.isArray(json)) throw refuseKind(`${title} (an array)`, json);
      const items = decodeItems(json, item, context);
      const fault = firstOutOfOrder(items, order);
      if (fault >= 0) throw outOfOrder(title, "items").under(fault);
      return FlowSet.ascending(items, order);
    },
    write(value, context) {
      if (!(value instanceof FlowSet)) throw refuseKind(`${title} (a FlowSet)`, value);
      const set = value.order === order ? value : reordered(value, item, order, context);
      if (set.size !== value.size) throw new Refusal("order", `${title} without equal items`, "items that are equal in this type's order");
      return writeItems(set.items, item, context);
    },
    compare: (a, b) => compareItems((a as FlowSet<unknown>).items, (b as FlowSet<unknown>).items, item),
  };
}

/** Dict<Text, V>: an object. */
export function textDictNode(value: Node): Node {
  const title = titled(`Dict<Text, ${value.title}>`);
  return {
    ...container,
    title,
    children: () => [value],
    decode(json, context) {
      if (!isObject(json) || json instanceof Decimal) throw refuseKind(`${title} (an object)`, json);
      const keys = Object.keys(json);
      if (context.native) context.members += keys.length;
      keys.sort(compareCodePoints);
      const values = new Array<unknown>(keys.length);
      let i = 0;
      try {
        for (; i < keys.length; i++) values[i] = value.decode(json[keys[i] as string], context);
      } catch (caught) {
        throw under(caught, keys[i] as string);
      }
      return FlowDict.ascending(keys, values, compareCodePoints);
    },
    write(dict, context) {
      if (!(dict instanceof FlowDict)) throw refuseKind(`${title} (a FlowDict)`, dict);
      for (const key of dict.sortedKeys) if (typeof key !== "string") throw refuseKind(`${title} with keys of Text`, key);
      const { sortedKeys, sortedValues } = inOrder(dict, compareCodePoints, title);
      requireMembers(sortedKeys.length, context.limits, "members of one object");
      if (sortedKeys.length === 0) return "{}";
      let text = "{";
      let i = 0;
      try {
        descend(context);
        for (; i < sortedKeys.length; i++) {
          text += i > 0 ? "," : "";
          text += `${writeString(sortedKeys[i] as string, context.limits)}:`;
          text += value.write(sortedValues[i], context);
        }
      } catch (caught) {
        throw under(caught, sortedKeys[i] as string);
      }
      context.depth--;
      return `${text}}`;
    },
    compare: (a, b) => compareDicts(a as Pairs, b as Pairs, compareCodePoints, value),
  };
}

/** Any other Dict: an array of `[key, value]` arrays. */
export function dictNode(key: Node, value: Node): Node {
  const title = titled(`Dict<${key.title}, ${value.title}>`);
  const order = (a: unknown, b: unknown) => key.compare(a, b);
  return {
    ...container,
    title,
    children: () => [key, value],
    decode(json, context) {
      if (!Array.isArray(json)) throw refuseKind(`${title} (an array of pairs)`, json);
      const keys = new Array<unknown>(json.length);
      const values = new Array<unknown>(json.length);
      let i = 0;
      try {
        for (; i < json.length; i++) {
          const pair: unknown = json[i];
          if (!Array.isArray(pair) || pair.length !== 2) throw refuseKind("a [key, value] array", pair);
          keys[i] = decodePart(pair, 0, key, context);
          values[i] = decodePart(pair, 1, value, context);
        }
      } catch (caught) {
        throw under(caught, i);
      }
      const fault = firstOutOfOrder(keys, order);
      if (fault >= 0) throw outOfOrder(title, "keys").under(fault);
      return FlowDict.ascending(keys, values, order);
    },
    write(dict, context) {
      if (!(dict instanceof FlowDict)) throw refuseKind(`${title} (a FlowDict)`, dict);
      if (dict.order !== order) writeItems(dict.sortedKeys, key, context);
      const { sortedKeys, sortedValues } = inOrder(dict, order, title);
      requireMembers(sortedKeys.length, context.limits, "items in one array");
      if (sortedKeys.length === 0) return "[]";
      let text = "[";
      let i = 0;
      try {
        descend(context);
        descend(context);
        for (; i < sortedKeys.length; i++) {
          text += i > 0 ? ",[" : "[";
          text += writePart(sortedKeys[i], 0, key, context);
          text += ",";
          text += writePart(sortedValues[i], 1, value, context);
          text += "]";
        }
      } catch (caught) {
        throw under(caught, i);
      }
      context.depth -= 2;
      return `${text}]`;
    },
    compare: (a, b) => compareDicts(a as Pairs, b as Pairs, order, value),
  };
}

/** A tuple, and the positional parts of a payload: an array of exactly the given parts. */
export function tupleNode(parts: readonly Node[], title: string = titled(`(${titles(parts)})`)): Node {
  return {
    ...container,
    title,
    children: () => parts,
    decode(json, context) {
      if (!Array.isArray(json) || json.length !== parts.length) {
        throw refuseKind(`${title} (an array of ${parts.length} item${parts.length === 1 ? "" : "s"})`, json);
      }
      const values = new Array<unknown>(parts.length);
      for (let i = 0; i < parts.length; i++) values[i] = decodePart(json, i, parts[i] as Node, context);
      return values;
    },
    write(value, context) {
      if (!Array.isArray(value) || value.length !== parts.length) throw refuseKind(`${title} (an array of ${parts.length})`, value);
      if (parts.length === 0) return "[]";
      let text = "[";
      let i = 0;
      try {
        descend(context);
        for (; i < parts.length; i++) {
          if (i > 0) text += ",";
          text += (parts[i] as Node).write(value[i], context);
        }
      } catch (caught) {
        throw under(caught, i);
      }
      context.depth--;
      return `${text}]`;
    },
    compare(a, b) {
      for (let i = 0; i < parts.length; i++) {
        const sign = (parts[i] as Node).compare((a as unknown[])[i], (b as unknown[])[i]);
        if (sign !== 0) return sign;
      }
      return 0;
    },
  };
}

function decodeItems(json: readonly unknown[], item: Node, context: DecodeContext): unknown[] {
  const items = new Array<unknown>(json.length);
  let i = 0;
  try {
    for (; i < json.length; i++) items[i] = item.decode(json[i], context);
  } catch (caught) {
    throw under(caught, i);
  }
  return items;
}

function writeItems(items: readonly unknown[], item: Node, context: EncodeContext): string {
  requireMembers(items.length, context.limits, "items in one array");
  if (items.length === 0) return "[]";
  let i = 0;
  try {
    descend(context);
    let text = `[${item.write(items[0], context)}`;
    for (i = 1; i < items.length; i++) text += `,${item.write(items[i], context)}`;
    context.depth--;
    return `${text}]`;
  } catch (caught) {
    throw under(caught, i);
  }
}

function decodePart(json: readonly unknown[], i: number, part: Node, context: DecodeContext): unknown {
  try {
    return part.decode(json[i], context);
  } catch (caught) {
    throw under(caught, i);
  }
}

function writePart(value: unknown, i: number, part: Node, context: EncodeContext): string {
  try {
    return part.write(value, context);
  } catch (caught) {
    throw under(caught, i);
  }
}

/** A list is before another at the first item that is, or as a prefix of it. */
function compareItems(a: readonly unknown[], b: readonly unknown[], item: Node): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const sign = item.compare(a[i], b[i]);
    if (sign !== 0) return sign;
  }
  return a.length - b.length;
}

type Pairs = FlowDict<unknown, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: an order of any key type
type AnyOrder = (a: any, b: any) => number;

function compareDicts(a: Pairs, b: Pairs, keyOrder: AnyOrder, value: Node): number {
  const shorter = Math.min(a.size, b.size);
  for (let i = 0; i < shorter; i++) {
    const sign = keyOrder(a.sortedKeys[i], b.sortedKeys[i]) || value.compare(a.sortedValues[i], b.sortedValues[i]);
    if (sign !== 0) return sign;
  }
  return a.size - b.size;
}

/**
 * A set that another codec or hand ordered, in this codec's order: building a set is not decoding one. Its items are
 * checked first, since an order may only be asked about values of its type.
 */
function reordered(set: FlowSet<unknown>, item: Node, order: AnyOrder, context: EncodeContext): FlowSet<unknown> {
  writeItems(set.items, item, context);
  return FlowSet.from(set.items, order);
}

/** The dictionary in this codec's order, which is its own except where another codec or hand made it; its keys are checked. */
function inOrder(dict: Pairs, order: AnyOrder, title: string): Pairs {
  if (dict.order === order) return dict;
  const sorted: Pairs = FlowDict.from(dict.entries(), order);
  if (sorted.size !== dict.size) throw new Refusal("order", `${title} without equal keys`, "keys that are equal in this type's order");
  return sorted;
}

function outOfOrder(title: string, what: "items" | "keys"): Refusal {
  return new Refusal("order", `${title} with ${what} in strictly ascending order`, "one that is not after the one before it");
}

function requireMembers(count: number, limits: Limits, what: string): void {
  if (count > limits.members) throw tooMany("members", `at most ${limits.members} ${what}`, describeJson(BigInt(count)));
}
