/** What the build puts beside the page: importing it gives its address relative to the bundle. */
declare module "*.wasm" {
  const address: string;
  export default address;
}
