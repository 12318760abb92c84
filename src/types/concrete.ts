/** Reading a single concrete term, as codecs take it. */
import type { JsonValue } from "../json/value.ts";
import { checkGraph } from "./check.ts";
import { checkRoots } from "./graph.ts";
import { ShapeReader } from "./shape.ts";
import type { ConcreteType } from "./terms.ts";

/**
 * Reads one concrete term with exactly the templates it reaches. Pointers in errors lead into
 * `{"type", "declarations"}`. Order is asked of Set items and Dict keys (R12); whether the type may cross (R15) is
 * asked by `requireCrossing`, since that depends on where it stands.
 * @throws FlowError as {@link readTypeSpec} does, and `free-param`.
 */
export function readConcreteType(type: JsonValue, declarations: JsonValue): ConcreteType {
  const reader = new ShapeReader("");
  const { result, scope } = reader.scoped(() => reader.root(type, "type"));
  const read = reader.within("declarations", () => reader.declarations(declarations));
  const root = { at: "/type", type: result, role: "any" } as const;
  checkRoots([root], scope, undefined, read.declarations);
  checkGraph("/declarations", read, [root], [root]);
  return { type: result, declarations: read.declarations };
}
