/** The toolkit: what generated source, authors of Tools and their servers use (*Toolkits*). */
export { Decimal } from "../json/decimal.ts";
export type { JsonObject, JsonValue } from "../json/value.ts";
export type { Outcome, ToolProblem } from "../protocol/outcome.ts";
export type { GenericTypes } from "../signature/writeview.ts";
export { FlowDict } from "../values/dict.ts";
export { Duration } from "../values/duration.ts";
export { Instant } from "../values/instant.ts";
export { FlowSet } from "../values/set.ts";
export { HostToken, None, type Option, Some } from "../values/shapes.ts";
export {
  type Empty,
  type Err,
  err,
  type Fields,
  type GenericCallOptions,
  type GenericToolContext,
  type Ok,
  ok,
  type ToolCaller,
  type ToolCallOptions,
  type ToolContext,
  type ToolResult,
} from "./author.ts";
export { type GenerateOptions, generateToolkit } from "./generate/generate.ts";
export { defineToolkit, type EmbeddedTool, type EmbeddedTools, Toolkit, type ToolkitTool } from "./toolkit.ts";
