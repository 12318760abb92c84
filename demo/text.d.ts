/** What the build imports as text, `with { type: "text" }`. */
declare module "*.json" {
  const text: string;
  export default text;
}

declare module "*.flow" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

/** TypeScript without its types, as JavaScript. */
declare module "*.txt?js" {
  const text: string;
  export default text;
}
