/** Whatever a service does, each call ends once, with the outcome that is true: rows of docs/outcomes.md. */
import { beforeAll, describe, expect, it } from "vitest";
import { bindFetch, type FetchFunction, type FetchOptions } from "../../src/bindings/fetch.ts";
import type { DropEvent } from "../../src/host/hooks.ts";
import { createHost } from "../../src/host/host.ts";
import type { CallOptions } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import type { ToolsDocument } from "../../src/signature/tools.ts";
import { serveFetch } from "../../src/toolkit/serve/fetch.ts";
import { serveHttp } from "../contract/http.ts";
import { ACT, contractTools } from "../contract/tools.ts";
import { handMade } from "../contract/toolset.ts";

const URL_ = "http://tools.example/";
let tools: ToolsDocument;
let serve: (request: Request) => Promise<Response>;

beforeAll(async () => {
  tools = await contractTools([ACT]);
  serve = serveFetch(handMade(tools));
});

const drops: DropEvent[] = [];

/** Makes one call of a service that answers calls, and nothing else, as given. */
async function called(
  answerCall: (
    message: { readonly params: { readonly run: string; readonly call: string } },
    request: Request,
  ) => Response | Promise<Response>,
  options: FetchOptions = {},
  callOptions: CallOptions = {},
): Promise<Outcome> {
  const fetcher: FetchFunction = async (url, init) => {
    const request = new Request(url, init);
    const message = JSON.parse(await request.clone().text());
    return message.method === "call" ? answerCall(message, request) : serve(request);
  };
  drops.length = 0;
  const host = createHost({
    bindings: { [ACT]: bindFetch(fetcher, URL_, options) },
    graceMs: 60,
    onDrop: (event) => drops.push(event),
  });
  const posting = { account: 1n, amount: Decimal.from("1") };
  const { result } = await host.start({ program: { tools, run: (run) => run.call(ACT, { order: "ok", posting }, callOptions) } });
  const outcome = (await result) as Outcome;
  await host[Symbol.asyncDispose]();
  return outcome;
}

function replyTo(
  { params: { run, call } }: { readonly params: { readonly run: string; readonly call: string } },
  outcome: unknown,
): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { call, outcome, run } });
}

const OK = { Ok: { account: 1, amount: 1 } };

describe("row 10: a failure that fetch can't place is Unknown", () => {
  it.each<[string, (message: Parameters<typeof replyTo>[0]) => Response | Promise<Response>]>([
    ["the connection fails", () => Promise.reject(new TypeError("fetch failed"))],
    [
      "the fetcher throws",
      () => {
        throw new Error("no network");
      },
    ],
    ["status 500", () => new Response("oh no", { status: 500 })],
    ["status 201 with a reply", (message) => new Response(replyTo(message, OK), { status: 201 })],
    ["a redirect", () => new Response(null, { status: 307, headers: { location: "http://elsewhere.example/" } })],
    ["an empty body", () => new Response(null)],
    ["a body that is no JSON", () => new Response("<html>")],
    ["half a reply", (message) => new Response(replyTo(message, OK).slice(0, 50))],
    ["a body that is not UTF-8", () => new Response(new Uint8Array([0x7b, 0xff, 0x7d]))],
    ["an error response", () => new Response('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}')],
    ["a body that breaks off", () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) }))],
    ["20 MiB that are no reply", () => new Response("x".repeat(20 * 1024 * 1024))],
  ])("%s", async (_, answerCall) => {
    expect(await called(answerCall)).toMatchObject({ tag: "Unknown" });
  });
});

describe("row 10: a request that was never begun is NotRun", () => {
  it("an address that is none", async () => {
    const binding = bindFetch(fetch, "not an address");
    const message = { run: "r", call: "1", tool: ACT, fingerprint: "", values: {}, args: "{}" };
    expect(await binding.call(message)).toMatchObject({ tag: "NotRun", from: "host" });
    await expect(binding.describe("0.1", new AbortController().signal)).rejects.toMatchObject({ code: "start" });
  });

  it("a binding that is closed", async () => {
    const binding = bindFetch(fetch, URL_);
    await binding[Symbol.asyncDispose]();
    const message = { run: "r", call: "1", tool: ACT, fingerprint: "", values: {}, args: "{}" };
    expect(await binding.call(message)).toMatchObject({ tag: "NotRun" });
  });

  it("headers that cannot be had", async () => {
    let asked = 0;
    const headers = () => (++asked === 1 ? {} : Promise.reject(new Error("the token is gone")));
    expect(await called((message) => new Response(replyTo(message, OK)), { headers })).toMatchObject({
      tag: "NotRun",
      value: expect.stringContaining("the token is gone"),
    });
  });

  it("row 3: cancelled while its headers are waited for", async () => {
    let asked = 0;
    const headers = () => (++asked === 1 ? {} : new Promise<HeadersInit>(() => {}));
    expect(await called((message) => new Response(replyTo(message, OK)), { headers }, { timeoutMs: 20 })).toMatchObject({ tag: "NotRun" });
  });
});

it("row 12: a reply past the size limit is BadReply for its call", async () => {
  const outcome = await called(
    (message) => new Response(replyTo(message, { Ok: { account: 1, amount: 1, note: "n".repeat(20 * 1024 * 1024) } })),
  );
  expect(outcome).toMatchObject({ tag: "BadReply", value: expect.stringContaining("limit") });
});

it("row 13: a byte-order mark is no part of a message", async () => {
  expect(await called((message) => new Response(`\ufeff${replyTo(message, OK)}`))).toMatchObject({ tag: "Unknown" });
  expect(await called((message) => new Response(` ${replyTo(message, OK)}\r\n`))).toMatchObject({ tag: "Ok" });
});

it("row 15: a reply to another call is dropped, and this one is Unknown", async () => {
  const outcome = await called(({ params }) => new Response(replyTo({ params: { ...params, call: "2" } }, OK)));
  expect(outcome).toMatchObject({ tag: "Unknown" });
  expect(drops).toMatchObject([{ why: "foreign", ids: { call: "2" } }]);
});

it("row 14: an unheeded cancel is Unknown, and its request is aborted after the grace time", async () => {
  let aborted = false;
  // Node lets a Request that nobody holds go, and with it the signal that follows the caller's.
  const held: Request[] = [];
  const outcome = await called(
    (_, request) =>
      new Promise((_, reject) => {
        held.push(request);
        request.signal.addEventListener("abort", () => {
          aborted = true;
          reject(new Error("aborted"));
        });
      }),
    {},
    { timeoutMs: 20 },
  );
  expect(outcome).toMatchObject({ tag: "Unknown" });
  expect(aborted).toBe(true);
  expect(drops).toEqual([]);
});

describe("row 2: a service that cannot be used refuses the run", () => {
  it.each<[string, string, () => Response]>([
    ["start", "another status", () => new Response("", { status: 404 })],
    ["shape", "no response", () => new Response("{}")],
    ["shape", "an error response", () => new Response('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"?"}}')],
    ["version", "another data version", () => new Response('{"jsonrpc":"2.0","id":1,"result":{"data":"1.0","tools":[]}}')],
    ["not-served", "nothing served", () => new Response('{"jsonrpc":"2.0","id":1,"result":{"data":"0.1","tools":[]}}')],
  ])("with %s for %s", async (code, _, respond) => {
    const host = createHost({ bindings: { [ACT]: bindFetch(async () => respond(), URL_) } });
    await expect(host.start({ program: { tools, run: () => {} } })).rejects.toMatchObject({ errors: [{ code }] });
  });
});

describe("serveFetch", () => {
  const describeBody = '{"jsonrpc":"2.0","id":1,"method":"describe","params":{"data":"0.1"}}';
  function post(body: BodyInit, headers: Record<string, string> = {}, url = URL_): Request {
    return new Request(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
  }

  it.each<[number, () => Request]>([
    [405, () => new Request(URL_)],
    [415, () => post(describeBody, { "content-type": "text/plain" })],
    [403, () => post(describeBody, { origin: "http://page.example" })],
    [200, () => post(describeBody, { origin: "http://tools.example" })],
    [202, () => post('{"jsonrpc":"2.0","method":"cancel","params":{"run":"r","call":"1"}}')],
  ])("answers with %d", async (status, request) => {
    expect((await serve(request())).status).toBe(status);
  });

  it("answers an unknown request with -32601 and what is no JSON with -32700", async () => {
    expect(await (await serve(post('{"jsonrpc":"2.0","id":"x","method":"other"}'))).json()).toMatchObject({
      id: "x",
      error: { code: -32601 },
    });
    expect(await (await serve(post("{"))).json()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await (await serve(post(new Uint8Array([0xff])))).json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it("refuses a body past its limit, and takes one at it", async () => {
    const limited = serveFetch(handMade(tools), { bodyLimit: describeBody.length });
    expect((await limited(post(`${describeBody} `))).status).toBe(413);
    expect((await limited(post(describeBody))).status).toBe(200);
  });

  it("asks its hook, which may answer itself", async () => {
    const authorize = (request: Request) =>
      request.headers.get("authorization") === "Bearer x" || (request.headers.has("teapot") ? new Response("", { status: 418 }) : false);
    const guarded = serveFetch(handMade(tools), { authorize });
    expect((await guarded(post(describeBody))).status).toBe(401);
    expect((await guarded(post(describeBody, { teapot: "1" }))).status).toBe(418);
    expect((await guarded(post(describeBody, { authorization: "Bearer x" }))).status).toBe(200);
  });

  it("lets the pages of its origins call", async () => {
    const open = serveFetch(handMade(tools), { origins: ["http://page.example"] });
    const asked = await open(
      new Request(URL_, {
        method: "OPTIONS",
        headers: { origin: "http://page.example", "access-control-request-headers": "content-type,x" },
      }),
    );
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe("http://page.example");
    expect(asked.headers.get("access-control-allow-headers")).toBe("content-type,x");
    const answered = await open(post(describeBody, { origin: "http://page.example" }));
    expect(answered.headers.get("access-control-allow-origin")).toBe("http://page.example");
    expect((await open(post(describeBody, { origin: "http://other.example" }))).status).toBe(403);
    expect((await serveFetch(handMade(tools), { origins: "*" })(post(describeBody, { origin: "null" }))).status).toBe(200);
  });

  it("R40a: over HTTP, a redirect is not followed", async () => {
    const served = await serveHttp(async () => new Response(null, { status: 308, headers: { location: URL_ } }));
    try {
      const message = { run: "r", call: "1", tool: ACT, fingerprint: "", values: {}, args: "{}" };
      expect(await bindFetch(fetch, served.url).call(message)).toMatchObject({ tag: "Unknown", reason: expect.stringContaining("308") });
    } finally {
      await served.close();
    }
  });
});
