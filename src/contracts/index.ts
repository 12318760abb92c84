export { isFlowError } from "../json/errors.ts";
export * from "./codes.ts";
export * from "./identity.ts";
export * from "./json1.ts";
export { compileSchema } from "./schema1/schema.ts";
