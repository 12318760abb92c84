/** The serving half of messages behind `fetch`: one message for each POST, its answer in the response. */
import { decodeUtf8 } from "../json/text.ts";
import { Gathered } from "./gathered.ts";
import { NOT_UTF8 } from "./serving.ts";

/** Who may post what. */
export interface ServeFetchOptions {
  /** Whether a request may be answered. A Response of its own refuses it in its own words; otherwise a refusal is a 401. */
  readonly authorize?: (request: Request) => boolean | Response | Promise<boolean | Response>;
  /** The most bytes of one request's body; a larger one is refused with 413. */
  readonly bodyLimit?: number;
  /** The origins whose pages may call beside its own, or `"*"` for all. None by default. */
  readonly origins?: readonly string[] | "*";
}

const JSON_TYPE = "application/json";

/**
 * A handler of requests.
 * @param reply The answer to a message; undefined where there is none. It does not reject.
 * @param limit The most bytes of one message, where the options do not say.
 */
export function messageHandler(
  reply: (text: string, request: Request) => Promise<string | undefined>,
  options: ServeFetchOptions,
  limit: number,
): (request: Request) => Promise<Response> {
  const { authorize, bodyLimit = limit, origins = [] } = options;

  async function answer(request: Request): Promise<Response> {
    if (request.method !== "POST") return refusal(405, "one message for each POST", { allow: "POST, OPTIONS" });
    // Also what keeps a page of another origin from posting without being asked for first.
    const type = request.headers.get("content-type") ?? "";
    if (type.split(";", 1)[0]?.trim().toLowerCase() !== JSON_TYPE) return refusal(415, `a message is ${JSON_TYPE}`);
    const allowed = (await authorize?.(request)) ?? true;
    if (allowed instanceof Response) return allowed;
    if (allowed !== true) return refusal(401, "the request is not authorised");
    const bytes = await bodyWithin(request, bodyLimit);
    if (bytes === undefined) return refusal(413, `a message has at most ${bodyLimit} bytes`);
    const text = decodeUtf8(bytes);
    const answered = text === undefined ? NOT_UTF8 : await reply(text, request);
    return answered === undefined
      ? new Response(null, { status: 202 })
      : new Response(answered, { headers: { "content-type": JSON_TYPE } });
  }

  return async (request) => {
    const origin = request.headers.get("origin");
    // A page posts its origin to its own server as well.
    const isOwn = origin === null || origin === new URL(request.url).origin;
    const cors = isOwn ? {} : corsHeaders(origin, origins);
    if (cors === undefined) return refusal(403, "pages of this origin may not call");
    if (request.method === "OPTIONS" && origin !== null) return preflight(request, cors);
    const response = await answer(request);
    if (isOwn) return response;
    const withCors = new Response(response.body, response);
    for (const [name, value] of Object.entries(cors)) withCors.headers.set(name, value);
    return withCors;
  };
}

/** The headers that let a page read a response; undefined for an origin that may not call. */
function corsHeaders(origin: string, origins: readonly string[] | "*"): Readonly<Record<string, string>> | undefined {
  if (origins !== "*" && !origins.includes(origin)) return undefined;
  return { "access-control-allow-origin": origins === "*" ? "*" : origin, vary: "Origin" };
}

function preflight(request: Request, cors: Readonly<Record<string, string>>): Response {
  const headers = request.headers.get("access-control-request-headers") ?? "content-type";
  return new Response(null, {
    status: 204,
    headers: {
      ...cors,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": headers,
      "access-control-max-age": "86400",
    },
  });
}

async function bodyWithin(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const held = new Gathered();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return held.take();
    if (held.length + value.length > limit) {
      await reader.cancel().catch(() => {});
      return undefined;
    }
    held.push(value);
  }
}

function refusal(status: number, reason: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${reason}\n`, { status, headers: { "content-type": "text/plain;charset=utf-8", ...headers } });
}
