/** The toolkit: what generated source, authors of Tools and their servers use (*Toolkits*). */
export type { Codec } from "../codec/codec.ts";
export { Decimal } from "../json/decimal.ts";
export { FlowError, isFlowError } from "../json/errors.ts";
export type { JsonObject, JsonValue } from "../json/value.ts";
export type { Outcome, ToolProblem } from "../protocol/outcome.ts";
export type { ServedCall, Toolset } from "../protocol/toolset.ts";
export type { CallView } from "../signature/callview.ts";
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
export { type ImplementOptions, implement } from "./implement.ts";
export { toInt, toInt64, toNumber, toSafeNumber, toUint, toUint64 } from "./narrow.ts";
export { type ComponentCall, type ComponentOutcome, type ComponentTool, serveComponent } from "./serve/component.ts";
export { type ServeFetchOptions, serveFetch } from "./serve/fetch.ts";
export { type ByteSink, type ByteSource, type NodeSink, type ServeLinesOptions, serveLines } from "./serve/lines.ts";
export { serveWorker, type WorkerPort } from "./serve/worker.ts";
export { defineToolkit, type EmbeddedTool, type EmbeddedTools, Toolkit, type ToolkitTool } from "./toolkit.ts";
