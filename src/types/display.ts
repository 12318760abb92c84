/** How a declaration is called in a sentence for people. It identifies nothing: two declarations may share it. */
import type { Template } from "./terms.ts";

/**
 * The short name of a declaration: the base name of its file without `.flow`, a point, its name.
 * `github.com/acme/docs@1.2.0/document.flow.Document` becomes `document.Document`.
 * An identity of another form (nothing obliges a description to keep to one) leaves the bare name.
 */
export function displayName(template: Pick<Template, "name" | "identity">): string {
  const { name, identity } = template;
  const ending = `.flow.${name}`;
  if (!identity.endsWith(ending)) return name;
  const file = identity.slice(identity.lastIndexOf("/", identity.length - ending.length) + 1, -ending.length);
  return file === "" ? name : `${file}.${name}`;
}
