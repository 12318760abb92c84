/** What the build imports as text, `with { type: "text" }`. */
declare module "*.json" {
  const text: string;
  export default text;
}
