/** What only Node, Deno and Bun can do: child processes, MCP servers, `flow.toml` and files. */
export { FileStore, type FileStoreOptions } from "./filestore.ts";
export { type ConfiguredWay, type FlowToml, readFlowToml } from "./flowtoml.ts";
export { configuredBy, type ManifestOptions } from "./manifests.ts";
export { bindMcp, type McpOptions } from "./mcp.ts";
export type { ProcessOptions } from "./options.ts";
export { readPackageDirectory } from "./package-files.ts";
export { type ProbeOptions, type ProbeStep, probeProcess } from "./probe.ts";
export { bindProcess, openProcess } from "./process.ts";
export { serveProcess } from "./serve.ts";
export { splitWords } from "./words.ts";
