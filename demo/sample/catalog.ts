/** `catalog.read` as a function in the page: its documents are texts in a store, as they would be in any application. */
import { type Binding, bindFunction, type DeclaredTool, type Outcome } from "flow-host";

/** The store: id to the JSON text that was put there. One text was cut short when it was written. */
const STORE: ReadonlyMap<string, string> = new Map([
  ["tool", '{"title":"Tools","body":"A Tool is a declaration; an implementation answers its calls."}'],
  ["outcome", '{"title":"Outcomes","body":"A call ends once, with the outcome that is true."}'],
  ["damaged", '{"title":"Half a docu'],
]);

/** Documents that a newer version of this catalog has withdrawn; it says so with a constructor of its own. */
const WITHDRAWN: ReadonlySet<string> = new Set(["withdrawn"]);

/** Reads a document. A text that cannot be read throws, as code does that did not expect it. */
export function read(id: string): Outcome {
  if (WITHDRAWN.has(id)) return { tag: "Failed", value: { tag: "Withdrawn" } };
  const text = STORE.get(id);
  if (text === undefined) return { tag: "Failed", value: { tag: "NotFound", value: id } };
  if (!text.endsWith("}")) throw new Error(`the stored text of ${id} ends in the middle`);
  const { title, body } = JSON.parse(text) as { title: string; body: string };
  return { tag: "Ok", value: { id, title, body } };
}

/** Ids longer than this are refused before {@link read} runs. */
const LONGEST_ID = 64;

export function bindCatalog(declared: DeclaredTool): Binding {
  return bindFunction(declared, (values) => read(values["id"] as string), { limits: { string: LONGEST_ID }, title: "function" });
}
