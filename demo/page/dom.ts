/** Making elements. Whatever comes from data goes in as text, never as markup. */

export type Child = Node | string | null | undefined | false | readonly Child[];

/** Attributes by their names; `true` is an empty attribute, `false` and `undefined` none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly SVGElement[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Text for those who listen to the page. */
export function spoken(text: string): HTMLElement {
  return el("span", { class: "spoken" }, text);
}

/** A button that does something on this page. */
export function button(attributes: Attributes, onPress: () => void, ...children: readonly Child[]): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", onPress);
  return element;
}

/** An element that stands in `index.html`. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no element #${id}`);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child instanceof Node || typeof child === "string") element.append(child);
    else if (Array.isArray(child)) append(element, child as readonly Child[]);
  }
}
