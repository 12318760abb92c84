/**
 * The entry `flow-host/contracts`: Capability Contract/1 with JSON/1 and Schema/1, usable without the rest of the host
 * in every runtime.
 */
export { FlowError, isFlowError } from "../json/errors.ts";
export { admitJson1 } from "./admit.ts";
export {
  type CallAnswer,
  type CallResult,
  type ContractCalls,
  type ContractCallsOptions,
  createContractCalls,
  type RpcError,
} from "./call.ts";
export {
  type CallCode,
  type ContractCode,
  type Json1Code,
  type PackageCode,
  type RejectionCode,
  type SchemaCode,
  WORDS,
  wordOf,
} from "./codes.ts";
export { capabilityContractSchema, sessionStoreDescriptor } from "./data.ts";
export {
  CONTRACT_LIMITS,
  CONTRACT_SCHEMA_ID,
  type Contract,
  type ContractMethod,
  isContract,
  readContract,
  readContractValue,
} from "./descriptor.ts";
export { type ContractChange, type ContractDifference, diffContracts } from "./diff.ts";
export { contractDigest } from "./digest.ts";
export { callFailure } from "./failure.ts";
export {
  type ContractTriple,
  isContractDigest,
  isContractId,
  isContractVersion,
  isLocalName,
  isOperationId,
  sameContract,
} from "./identity.ts";
export { canonicalJson1, readJson1 } from "./json1.ts";
export { JSON1_LIMITS, type Json1Object, Json1Text, type Json1Value } from "./model.ts";
export { type FlowMarkdown, FRONTMATTER_LIMITS, readFlowMarkdown } from "./package/frontmatter.ts";
export { type FlowPackage, type PackageFiles, readPackage } from "./package/package.ts";
export { readTar } from "./package/tar.ts";
export { readZip } from "./package/zip.ts";
export {
  type BoundSlots,
  bindSlots,
  type Claim,
  type ClaimMatch,
  type EffectFunction,
  type EffectProvider,
  type EffectRequest,
  type EffectSlot,
  type Equivocation,
  type FlowProvider,
  type FlowRequest,
  findEquivocations,
  functionProvider,
  matchClaims,
  type Offer,
  type SlotUse,
} from "./providers.ts";
export { SCHEMA_LIMITS, SCHEMA1_ID } from "./schema1/read.ts";
export {
  type CompiledSchema,
  compileSchema,
  compileSchemaValue,
  type Diagnostic,
  type Validation,
  type ValidationOptions,
  WORK_BUDGET,
} from "./schema1/schema.ts";
export { bindContractMethod, type MethodBindingOptions } from "./tools/binding.ts";
export type { ToolErrors } from "./tools/errors.ts";
export type { ToolParameters } from "./tools/input.ts";
export { type ToolMethod, type ToolProviderOptions, toolProvider } from "./tools/provider.ts";
export {
  type BindingEvents,
  type Channel,
  type ConnectionOptions,
  type ContractConnection,
  connectChannel,
  connectWorker,
  type Dropped,
  type Inlet,
  type OpenChannel,
  type Oversized,
  type WorkerLike,
} from "./wire/connection.ts";
export { connectFetch, type Fetcher, type FetchFunction, type PostOptions, type RequestHeaders } from "./wire/fetch.ts";
export {
  type ByteSink,
  type ByteSource,
  type NodeSink,
  type ServeContractOptions,
  type ServeFetchOptions,
  serveContractFetch,
  serveContractLines,
  serveContractWorker,
  type WorkerPort,
} from "./wire/serve.ts";
