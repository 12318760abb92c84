/**
 * `catalog.read` as a service: one message of the protocol for each POST. Written by hand, to show how little there is to it; a
 * toolkit's `serveFetch` does this for any number of Tools.
 */
import {
  canonicalText,
  codecFor,
  DATA_VERSION,
  isFlowError,
  type JsonObject,
  type JsonValue,
  parseJson,
  type ToolsDocument,
} from "flow-host";
import { read } from "../sample/catalog.ts";

/** Schemas nest deeper than values. */
const DEEP = { depth: 1_000 };

export async function serveCatalog(tools: ToolsDocument, request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response("one message for each POST\n", { status: 405 });
  const message = parseJson(new Uint8Array(await request.arrayBuffer()), DEEP);
  const { id = null, method, params } = objectIn(message);
  if (method === "describe") return json(`{"id":${canonicalText(id)},"jsonrpc":"2.0","result":${description(tools)}}`);
  if (method !== "call") return new Response(null, { status: 202 });
  const { run = null, call = null, args } = objectIn(params);
  const outcome = outcomeOf(tools, objectIn(args));
  return json(
    `{"jsonrpc":"2.0","method":"reply","params":{"call":${canonicalText(call)},"outcome":${outcome},"run":${canonicalText(run)}}}`,
  );
}

function objectIn(json: JsonValue | undefined): JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as JsonObject) : {};
}

function entryIn(tools: ToolsDocument): ToolsDocument["tools"][number] {
  const entry = tools.tools.find(({ tool }) => tool.endsWith("/catalog.flow.read"));
  if (entry === undefined) throw new Error("the program does not declare catalog.read");
  return entry;
}

function description(tools: ToolsDocument): string {
  const { tool, fingerprint, signature } = entryIn(tools);
  return `{"data":"${DATA_VERSION}","tools":[{"fingerprint":"${fingerprint}","signature":${canonicalText(signature, DEEP)},"tool":${canonicalText(tool)}}]}`;
}

/** The outcome as canonical text. What does not decode never ran; what then goes wrong, nobody knows. */
function outcomeOf(tools: ToolsDocument, { id: given = null }: JsonObject): string {
  const { spec } = entryIn(tools);
  const problem = (tag: string, caught: unknown) => `{"${tag}":${canonicalText(isFlowError(caught) ? caught.message : String(caught))}}`;
  let id: string;
  try {
    id = codecFor("Text", spec.declarations).decode(canonicalText(given)) as string;
  } catch (caught) {
    return problem("NotRun", caught);
  }
  try {
    const { tag, value } = read(id);
    return `{"${tag}":${codecFor(tag === "Ok" ? spec.ok : spec.err, spec.declarations).encode(value)}}`;
  } catch (caught) {
    return problem("Unknown", caught);
  }
}

function json(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
