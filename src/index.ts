/** The core of flow-host: everything down to the bindings that run in any runtime. */
export { Decimal, type Rounding } from "./json/decimal.ts";
export { type FilePlace, FlowError, type FlowErrorDetails, isFlowError } from "./json/errors.ts";
export { type JcsValue, jcsText } from "./json/jcs.ts";
export { DEFAULT_LIMITS, type Limits, resolveLimits } from "./json/limits.ts";
export { parseJson } from "./json/read.ts";
export { type JsonObject, type JsonValue, jsonObject } from "./json/value.ts";
export { canonicalText } from "./json/write.ts";
