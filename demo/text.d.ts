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
