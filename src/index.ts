/** The core of flow-host: everything down to the bindings that run in any runtime. */

export {
  bindComponent,
  type ComponentOptions,
  type ComponentWorkerOptions,
  type GetCoreModule,
  type Instantiate,
} from "./bindings/component.ts";
export { grantWasi, type WasiGrants } from "./bindings/component-wasi.ts";
export { bindFetch, type Fetcher, type FetchFunction, type FetchOptions } from "./bindings/fetch.ts";
export { bindFunction, type CallContext, type DeclaredTool, type FunctionOptions, type ToolFunction } from "./bindings/function.ts";
export { bindToolset, type ToolsetOptions } from "./bindings/toolset.ts";
export { bindWorker, type WorkerOptions } from "./bindings/worker.ts";
export { Codec, codecFor, type DecodeOptions } from "./codec/codec.ts";
export type { Grant, Mode } from "./codec/decode.ts";
export type { StandardIssue, StandardProps, StandardResult } from "./codec/standard.ts";
export type { Bindings, Configured } from "./host/binder.ts";
export {
  type CallEntry,
  type EndEntry,
  type Entry,
  type History,
  type OutcomeEntry,
  readHistory,
  type StartEntry,
} from "./host/history.ts";
export type { CallEvent, DropEvent, Hooks, RestartEvent, SettleEvent } from "./host/hooks.ts";
export { createHost, type ForkOptions, Host, type HostOptions, type ResultOf, type ResumeOptions, type StartOptions } from "./host/host.ts";
export { IndexedDbStore } from "./host/idbstore.ts";
export type { StartedRun } from "./host/launch.ts";
export type { Input, Program } from "./host/program.ts";
export type { ReplayReport } from "./host/replay.ts";
export { type CallOptions, type NestedProgram, Run } from "./host/run.ts";
export { type HistoryLog, type HistoryStore, MemoryStore } from "./host/store.ts";
export { Decimal, type Rounding } from "./json/decimal.ts";
export { type FilePlace, FlowError, type FlowErrorDetails, isFlowError } from "./json/errors.ts";
export { type JcsValue, jcsText } from "./json/jcs.ts";
export { DEFAULT_LIMITS, type Limits, resolveLimits } from "./json/limits.ts";
export { parseJson } from "./json/read.ts";
export { type JsonObject, type JsonValue, jsonObject } from "./json/value.ts";
export { canonicalText } from "./json/write.ts";
export type { Binding, BindingEvents, CallIds, CallMessage, Dropped } from "./protocol/binding.ts";
export { type Description, readDescription, requireFit, type ServedTool } from "./protocol/description.ts";
export { type Outcome, type Reply, readOutcome, type ToolProblem } from "./protocol/outcome.ts";
export type { RequestHeaders } from "./protocol/post.ts";
export type { InProcessCall, ServedCall, Stopping, Toolset } from "./protocol/toolset.ts";
export type { WorkerLike } from "./protocol/worker.ts";
export { type SchemaOptions, schemaOf } from "./schema/schema.ts";
export { type CallTypes, type CallView, readCallView } from "./signature/callview.ts";
export { compareDataVersion, DATA_VERSION, type DataVersion, requireDataVersion } from "./signature/dataversion.ts";
export { type HashPath, hashPath, sha256Hex } from "./signature/hash.ts";
export { type Identity, parseIdentity, sameDeclaration, withoutVersion } from "./signature/identity.ts";
export { fingerprintOf, type Signature, signatureOf } from "./signature/signature.ts";
export { readTools, type ToolEntry, type ToolSource, type ToolsDocument, toolsText, writeTools } from "./signature/tools.ts";
export { type CallViewTexts, type GenericTypes, writeCallViews } from "./signature/writeview.ts";
export { readConcreteType } from "./types/concrete.ts";
export { displayName } from "./types/display.ts";
export { readTypeSpec, readTypesView } from "./types/spec.ts";
export type {
  BodilessTemplate,
  ConcreteType,
  Constructor,
  Declarations,
  EnumTemplate,
  Field,
  Parameter,
  Payload,
  Primitive,
  RecordTemplate,
  Template,
  Term,
  TypeSpec,
  TypesView,
} from "./types/terms.ts";
export { FlowDict } from "./values/dict.ts";
export { Duration } from "./values/duration.ts";
export { Instant } from "./values/instant.ts";
export type { Order } from "./values/search.ts";
export { FlowSet } from "./values/set.ts";
export { HostToken, None, type Option, Some, type Variant } from "./values/shapes.ts";
