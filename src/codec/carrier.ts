/**
 * Values that are carried as JSON although their type is known: what a generic Tool's author gets for a type parameter
 * (*Toolkits*). The JSON is judged by the type on the way in and on the way out, and two of them compare as the values
 * they encode, not as JSON: the members of an object have no order there, a record's fields do.
 */
import type { JsonValue } from "../json/value.ts";
import { GIVE_UP } from "./account.ts";
import type { DecodeContext, Node } from "./node.ts";

/** The author's side of the boundary may hand back whatever it was given (R14). */
const AUTHOR: DecodeContext = { strict: true, tokens: true, opaque: true };

export function carrierNode(inner: Node): Node {
  return {
    title: inner.title,
    takesNull: inner.takesNull,
    takesUndefined: false,
    decode(json, context) {
      inner.decode(json, context);
      return json as JsonValue;
    },
    take() {
      // Native numbers are no exact JSON; the exact way has the tree that is wanted.
      throw GIVE_UP;
    },
    write(value, output) {
      inner.write(inner.decode(value, AUTHOR), output);
    },
    compare(a, b) {
      return inner.compare(inner.decode(a, AUTHOR), inner.decode(b, AUTHOR));
    },
  };
}
