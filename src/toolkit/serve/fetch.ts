/** Serving a toolset behind `fetch`: the handler of any edge worker, or of a server that speaks in Requests and Responses. */
import { DEFAULT_LIMITS } from "../../json/limits.ts";
import { messageHandler, type ServeFetchOptions } from "../../protocol/servehttp.ts";
import type { Toolset } from "../../protocol/toolset.ts";
import { Answering } from "./answering.ts";

export type { ServeFetchOptions } from "../../protocol/servehttp.ts";

/**
 * Serves a toolset.
 * @returns A handler: `export default { fetch: serveFetch(toolset) }`.
 */
export function serveFetch(toolset: Toolset, options: ServeFetchOptions = {}): (request: Request) => Promise<Response> {
  const answering = new Answering(toolset);
  return messageHandler((text, request) => answering.answer(text, request.signal), options, DEFAULT_LIMITS.bytes);
}
