/** The messages of R26, as they are written and as they are read. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/json/read.ts";
import { canonicalText } from "../../src/json/write.ts";
import {
  callText,
  cancelText,
  describeText,
  errorText,
  readMessage,
  readOutcomeText,
  readReady,
  readyText,
  reasonText,
  replyText,
  requestText,
  responseText,
  sendable,
  shown,
} from "../../src/protocol/messages.ts";

const ids = { run: "r\u{1f600}", call: "3.1" };

describe("each message is canonical", () => {
  it.each([
    describeText(1, "0.1"),
    callText({ ...ids, tool: "a.flow.b", args: '{"x":1}' }),
    callText({ ...ids, tool: "a.flow.b", args: '{"x":1}', schema: "{}", types: "{}" }),
    replyText(ids, '{"Ok":1}'),
    cancelText(ids),
    responseText("1", "{}"),
    errorText("null", -32700, 'a "quote"\n\ud800'),
    reasonText("Unknown", "\udc00 x"),
  ])("%s", (text) => {
    expect(canonicalText(parseJson(text))).toBe(text);
  });
});

describe("what is written is read", () => {
  it("call, reply and cancel", () => {
    const parts = { tool: "a.flow.b", args: '{"x":[1e5,"\\""]}' };
    expect(readMessage(callText({ ...ids, ...parts }))).toEqual({ kind: "call", ...ids, ...parts });
    expect(readMessage(callText({ ...ids, ...parts, schema: "true", types: "[]" }))).toMatchObject({ schema: "true", types: "[]" });
    expect(readMessage(replyText(ids, '{"Ok":{"a":1.50}}'))).toEqual({ kind: "reply", ...ids, reply: { tag: "Ok", text: '{"a":1.50}' } });
    expect(readMessage(cancelText(ids))).toEqual({ kind: "cancel", ...ids });
  });

  it("requests and responses, the id as it was", () => {
    expect(readMessage(describeText(1, "0.1"))).toEqual({ kind: "request", id: "1", method: "describe", params: '{"data":"0.1"}' });
    expect(readMessage(' { "id" : "\\u0031" , "jsonrpc":"2.0","result" : null }')).toMatchObject({
      kind: "response",
      id: '"\\u0031"',
      result: "null",
    });
    expect(readMessage(errorText("7", 1, "x"))).toMatchObject({ kind: "response", id: "7", result: undefined });
  });

  it("any outcome's value is cut out as it stands", () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), fc.string(), (value, run, call) => {
        fc.pre(run !== "" && call !== "" && run.length < 60 && call.length < 60);
        const spaced = `{"jsonrpc":"2.0","method":"reply","more":${value},"params":{"more":${value},"outcome":{ "Ok" :\n${value} },"call":${JSON.stringify(call)},"run":${JSON.stringify(run)}}}`;
        const message = readMessage(spaced);
        expect(message).toEqual({ kind: "reply", run, call, reply: { tag: "Ok", text: value } });
      }),
    );
  });
});

describe("what a Worker posts first", () => {
  it("names its lock, or none", () => {
    expect(readReady(readyText('l"1'))).toBe('l"1');
    expect(readReady(readyText(""))).toBe("");
    expect(readReady('{"jsonrpc":"2.0","method":"ready","params":{"more":"x"}}')).toBe("");
    expect(readReady('{"jsonrpc":"2.0","method":"ready","params":{"more":"x","lock":7}}')).toBe("");
    expect(readReady('{"jsonrpc":"2.0","method":"ready","params":[]}')).toBe("");
  });

  it.each([
    '{"jsonrpc":"2.0","method":"ready"}',
    '{"jsonrpc":"2.0","method":"other","params":{"lock":"l"}}',
    '{"jsonrpc":"2.0","id":1,"method":"ready","params":{"lock":"l"}}',
    '{"jsonrpc":"2.0","id":1,"result":{"lock":"l"}}',
    "ready",
  ])("is no other message: %s", (text) => {
    expect(readReady(text)).toBeUndefined();
  });
});

describe("ids of requests", () => {
  it("are strings, numbers and null, each written and kept as it is", () => {
    expect(requestText('a"b', "m", "[]")).toBe('{"id":"a\\"b","jsonrpc":"2.0","method":"m","params":[]}');
    expect(requestText(7, "m", "[]")).toBe('{"id":7,"jsonrpc":"2.0","method":"m","params":[]}');
    const kind = (id: string) => readMessage(`{"jsonrpc":"2.0","id":${id},"method":"m"}`).kind;
    for (const id of ["0", "9", "-1", "1.5e3", '""', '"x"', "null"]) expect(kind(id)).toBe("request");
    for (const id of ["true", "false", "[]", "{}"]) expect(kind(id)).toBe("malformed");
  });

  it("are needed by a response, which has a result or an error", () => {
    const kind = (rest: string) => readMessage(`{"jsonrpc":"2.0",${rest}}`).kind;
    expect(kind('"id":1,"result":1')).toBe("response");
    expect(kind('"id":1,"error":1')).toBe("response");
    for (const rest of ['"id":1,"result":1,"error":1', '"id":1', '"result":1', '"id":true,"result":1'])
      expect(kind(rest)).toBe("malformed");
  });
});

describe("reasons", () => {
  it("can always be sent: halves of pairs are replaced, and a long one is cut", () => {
    expect(sendable("a\u{1f600}b")).toBe("a\u{1f600}b");
    expect(sendable("\ud83dx\ude00")).toBe("\ufffdx\ufffd");
    expect(sendable("\ude00\ud83d")).toBe("\ufffd\ufffd");
    expect(sendable("\ud83d\u{1f600}")).toBe("\ufffd\u{1f600}");
    expect(sendable("x".repeat(100_001))).toHaveLength(100_000);
    expect(sendable(`${"x".repeat(99_999)}\u{1f600}`)).toBe(`${"x".repeat(99_999)}\ufffd`);
  });

  it("show of a text what fits a log", () => {
    expect(shown("x".repeat(120))).toBe(`"${"x".repeat(120)}"`);
    expect(shown("x".repeat(121))).toBe(`"${"x".repeat(110)}\u2026"`);
  });
});

describe("malformed envelopes", () => {
  it.each<[string, boolean]>([
    ["", false],
    ["print", false],
    ['\ufeff{"jsonrpc":"2.0","method":"x"}', false],
    ["[]", true],
    ["7", true],
    ["{}", true],
    ['{"jsonrpc":"2.0"}', true],
    ['{"jsonrpc":2.0,"method":"x"}', true],
    ['{"jsonrpc":"2.0","method":7}', true],
    ['{"jsonrpc":"2.0","jsonrpc":"2.0","method":"x"}', true],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', true],
    ['{"jsonrpc":"2.0","id":1}', true],
    ['{"jsonrpc":"2.0","id":1,"result":1,"error":{}}', true],
    ['{"jsonrpc":"2.0","method":"reply"}', true],
    ['{"jsonrpc":"2.0","method":"reply","params":[]}', true],
    ['{"jsonrpc":"2.0","method":"reply","params":{"run":"","call":"1"}}', true],
    ['{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":1}}', true],
    ['{"jsonrpc":"2.0","method":"reply","params":{"run":"r","run":"r","call":"1"}}', true],
    ['{"jsonrpc":"2.0","method":"cancel","params":{"run":"\\ud800","call":"1"}}', true],
    [`{"jsonrpc":"2.0","method":"cancel","params":{"run":"${"\u00e9".repeat(129)}","call":"1"}}`, true],
  ])("%s", (text, isJson) => {
    expect(readMessage(text)).toMatchObject({ kind: "malformed", isJson });
  });

  it("an id of 256 bytes is one", () => {
    const run = "\u00e9".repeat(128);
    expect(readMessage(cancelText({ run, call: "1" }))).toMatchObject({ kind: "cancel", run });
  });

  it.each([
    '{"jsonrpc":"2.0","method":"call","params":{"run":"r","call":"1","args":{}}}',
    '{"jsonrpc":"2.0","method":"call","params":{"run":"r","call":"1","tool":"t"}}',
  ])("a call that cannot be made can still be answered: %s", (text) => {
    expect(readMessage(text)).toMatchObject({ kind: "bad-call", run: "r", call: "1" });
  });
});

describe("row 12: outcomes that are none", () => {
  it.each([
    "{",
    "7",
    "[]",
    "{}",
    '{"Ok":1,"Failed":2}',
    '{"Ok":1,"Ok":1}',
    '{"ok":1}',
    '{"BadReply":"x"}',
    '{"NotRun":7}',
    '{"Unknown":"\\ud800"}',
  ])("%s", (text) => {
    expect(readOutcomeText(text).tag).toBe("Malformed");
  });

  it("a reason past the limit of a string is none", () => {
    expect(readOutcomeText(`{"NotRun":"${"x".repeat(8_388_609)}"}`).tag).toBe("Malformed");
    expect(readOutcomeText('{"NotRun":"x"}')).toEqual({ tag: "NotRun", reason: "x", from: "tool" });
  });
});
