/** Dict (R11): an object where the keys are Text, an array of pairs elsewhere. */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import { compareCodePoints } from "../json/text.ts";
import { writeItems, writeMembers } from "../json/write.ts";
import { FlowDict } from "../values/dict.ts";
import { firstOutOfOrder, type Order } from "../values/search.ts";
import { GIVE_UP } from "./account.ts";
import { decodePart, outOfOrder, writeAscending, writeParts } from "./collections.ts";
import { isObject, type Node, refuseKind, titled, under } from "./node.ts";

const container = { takesNull: false, takesUndefined: false } as const;

type Dict = FlowDict<unknown, unknown>;

/** Dict<Text, V>: an object, whose member order means nothing. */
export function textDictNode(value: Node): Node {
  const title = titled(`Dict<Text, ${value.title}>`);
  const order = compareCodePoints as Order<unknown>;
  return {
    ...container,
    title,
    decode(json, context) {
      if (!isObject(json) || json instanceof Decimal) throw refuseKind(`${title} (an object)`, json);
      const keys = Object.keys(json).sort(compareCodePoints);
      const values: unknown[] = [];
      try {
        for (const key of keys) values.push(value.decode(json[key], context));
      } catch (caught) {
        throw under(caught, keys[values.length] as string);
      }
      return FlowDict.ascending(keys, values, order);
    },
    take(json, account) {
      if (!isObject(json)) throw GIVE_UP;
      const keys = Object.keys(json).sort(compareCodePoints);
      account.object(keys.length);
      account.enter();
      const values: unknown[] = [];
      for (const key of keys) {
        account.name(key);
        values.push(value.take(json[key], account));
      }
      account.leave();
      return FlowDict.ascending(keys, values, order);
    },
    write(dict, output) {
      if (!(dict instanceof FlowDict)) throw refuseKind(`${title} (a FlowDict)`, dict);
      const stranger = dict.sortedKeys.find((key) => typeof key !== "string");
      if (stranger !== undefined) throw refuseKind(`${title} with keys of Text`, stranger);
      const { sortedKeys, sortedValues } = firstOutOfOrder(dict.sortedKeys, order) < 0 ? dict : resorted(dict, order, title);
      writeMembers(sortedKeys as readonly string[], output, (i) => value.write(sortedValues[i], output));
    },
    compare: (a, b) => compareDicts(inOrder(a as Dict, order), inOrder(b as Dict, order), order, value),
  };
}

/** Any other Dict: an array of `[key, value]` arrays, ascending by key. */
export function dictNode(key: Node, value: Node): Node {
  const title = titled(`Dict<${key.title}, ${value.title}>`);
  const order = (a: unknown, b: unknown) => key.compare(a, b);
  return {
    ...container,
    title,
    decode(json, context) {
      if (!Array.isArray(json)) throw refuseKind(`${title} (an array of pairs)`, json);
      const keys: unknown[] = [];
      const values: unknown[] = [];
      try {
        for (const pair of json as readonly unknown[]) {
          if (!Array.isArray(pair) || pair.length !== 2) throw refuseKind("a [key, value] array", pair);
          const decoded = decodePart(pair, 0, key, context);
          values.push(decodePart(pair, 1, value, context));
          keys.push(decoded);
        }
      } catch (caught) {
        throw under(caught, keys.length);
      }
      const fault = firstOutOfOrder(keys, order);
      if (fault >= 0) throw outOfOrder(title, "keys").under(fault);
      return FlowDict.ascending(keys, values, order);
    },
    take(json, account) {
      if (!Array.isArray(json)) throw GIVE_UP;
      account.array(json.length);
      account.enter();
      account.enter();
      const keys: unknown[] = [];
      const values: unknown[] = [];
      for (const pair of json as readonly unknown[]) {
        if (!Array.isArray(pair) || pair.length !== 2) throw GIVE_UP;
        account.array(2);
        keys.push(key.take(pair[0], account));
        values.push(value.take(pair[1], account));
      }
      account.leave();
      account.leave();
      if (firstOutOfOrder(keys, order) >= 0) throw GIVE_UP;
      return FlowDict.ascending(keys, values, order);
    },
    write(dict, output) {
      if (!(dict instanceof FlowDict)) throw refuseKind(`${title} (a FlowDict)`, dict);
      const parts = [key, value] as const;
      const write = ({ sortedKeys, sortedValues }: Dict) => {
        let i = 0;
        writeItems(sortedKeys, output, (each) => writeParts([each, sortedValues[i++]], parts, output));
      };
      writeAscending(dict, dict.sortedKeys, order, output, write, () => resorted(dict, order, title));
    },
    compare: (a, b) => compareDicts(inOrder(a as Dict, order), inOrder(b as Dict, order), order, value),
  };
}

function resorted(dict: Dict, order: Order<unknown>, title: string): Dict {
  const sorted: Dict = FlowDict.from(dict.entries(), order);
  if (sorted.size === dict.size) return sorted;
  throw new Refusal("order", `${title} without equal keys`, "keys that are equal in this type's order");
}

function inOrder(dict: Dict, order: Order<unknown>): Dict {
  return dict.order === order ? dict : FlowDict.from(dict.entries(), order);
}

function compareDicts(a: Dict, b: Dict, keyOrder: Order<unknown>, value: Node): number {
  const shorter = Math.min(a.size, b.size);
  for (let i = 0; i < shorter; i++) {
    const sign = keyOrder(a.sortedKeys[i], b.sortedKeys[i]) || value.compare(a.sortedValues[i], b.sortedValues[i]);
    if (sign !== 0) return sign;
  }
  return a.size - b.size;
}
