/** How calls are written in MCP (*Adapters*, R40): one connection's side of the conversation. */

import { FlowError } from "../json/errors.ts";
import { DEFAULT_LIMITS } from "../json/limits.ts";
import { canonicalText } from "../json/write.ts";
import type { CallIds, CallMessage } from "../protocol/binding.ts";
import type { Description } from "../protocol/description.ts";
import { type Message, notificationText, requestText, shown } from "../protocol/messages.ts";
import { malformed, type Reply } from "../protocol/outcome.ts";
import type { Oversized } from "../protocol/oversized.ts";
import type { Dialect, Session } from "../protocol/session.ts";
import { itemSpans, memberSpans, type Span, stringAt, uniqueMembers } from "../protocol/spans.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { parseIdentity } from "../signature/identity.ts";

/** The version that is asked for, and those that are understood; all write a tool's result alike. */
const ASKED = "2025-06-18";
const UNDERSTOOD: ReadonlySet<unknown> = new Set(["2024-11-05", "2025-03-26", ASKED, "2025-11-25"]);

/** The adapter's own requests. No call id looks like one (R30). */
const OWN_ID = /^(?:init|list-\d+)$/;

/** A list of tools, over all its pages, is no longer than one message may be. */
const LONGEST_LIST = DEFAULT_LIMITS.bytes;

/** What is read of an answer to `initialize`, and of one page of `tools/list`. */
interface Initialized {
  readonly protocolVersion?: unknown;
  readonly capabilities?: { readonly tools?: unknown };
}

interface Page {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
}

export class McpDialect implements Dialect {
  /** The run whose calls this connection carries; their ids mean nothing to another one. */
  run: string | undefined;
  /** The names of the tools that the server offers, once it has described itself. */
  names: ReadonlySet<string> = new Set();
  /** The ids that the server has not answered. */
  readonly unanswered: Set<string> = new Set();
  private readonly log: (line: string) => void;

  constructor(log: (line: string) => void) {
    this.log = log;
  }

  /** The handshake and the list of tools, before the first call. What is served the declarations say, not the server. */
  async describe(session: Session): Promise<Description> {
    const params = `{"capabilities":{},"clientInfo":{"name":"flow-host","version":"${DATA_VERSION}"},"protocolVersion":"${ASKED}"}`;
    const { protocolVersion, capabilities } = JSON.parse(await session.request("init", "initialize", params)) as Initialized;
    if (!UNDERSTOOD.has(protocolVersion)) {
      throw new FlowError("start", `the server speaks MCP ${JSON.stringify(protocolVersion)}, which is not understood here`);
    }
    session.send(notificationText("notifications/initialized", "{}"));
    this.names = capabilities?.tools === undefined ? new Set() : await this.list(session);
    return { data: DATA_VERSION, tools: [] };
  }

  private async list(session: Session): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    const seen = new Set<string>();
    let length = 0;
    for (let page = 1, cursor: string | undefined; ; page++) {
      const params = cursor === undefined ? "{}" : `{"cursor":${canonicalText(cursor)}}`;
      const text = await session.request(`list-${page}`, "tools/list", params);
      length += text.length;
      if (length > LONGEST_LIST) throw new FlowError("limit", `a list of tools past ${LONGEST_LIST} characters`);
      const { tools, nextCursor } = JSON.parse(text) as Page;
      if (!Array.isArray(tools)) throw new FlowError("shape", "a list of tools that is no array");
      for (const tool of tools as ({ readonly name?: unknown } | null)[]) if (typeof tool?.name === "string") names.add(tool.name);
      // A cursor that comes a second time would lead in a circle.
      if (typeof nextCursor !== "string" || seen.has(nextCursor)) return names;
      seen.add(nextCursor);
      cursor = nextCursor;
    }
  }

  call({ call, tool, args }: CallMessage): string {
    this.unanswered.add(call);
    return requestText(call, "tools/call", `{"arguments":${args},"name":${canonicalText(parseIdentity(tool).name)}}`);
  }

  cancel({ call }: CallIds): string {
    return notificationText("notifications/cancelled", `{"reason":"the host asked to stop the call","requestId":${canonicalText(call)}}`);
  }

  replyIn(message: Message): { readonly ids: CallIds; readonly reply: Reply } | undefined {
    const ids = message.kind === "response" ? this.idsOf(message.id) : undefined;
    if (ids === undefined || message.kind !== "response") return undefined;
    this.unanswered.delete(ids.call);
    const { result, error } = message;
    return {
      ids,
      reply: result === undefined ? malformed(`the server answered with an error: ${shown(error ?? "")}`) : readToolResult(result),
    };
  }

  idsIn(message: Oversized): CallIds | undefined {
    const ids = message.kind === "response" ? this.idsOf(message.id) : undefined;
    if (ids !== undefined) this.unanswered.delete(ids.call);
    return ids;
  }

  request(method: string): string | undefined {
    return method === "ping" ? "{}" : undefined;
  }

  /** What a server says beside its answers is its own affair; its log messages go to the log. */
  notification(method: string, params: string | undefined): boolean {
    if (method === "notifications/message" && params !== undefined) this.log(params.slice(0, 4_096));
    return true;
  }

  /** The call that a response is for: its id is the very string that was sent (R40). */
  private idsOf(id: string): CallIds | undefined {
    if (this.run === undefined || !id.startsWith('"')) return undefined;
    const call = JSON.parse(id) as string;
    return OWN_ID.test(call) ? undefined : { run: this.run, call };
  }
}

/**
 * The reply in a tool's result: `structuredContent`, or the JSON that its one text block holds; against the error type
 * where the result is marked as an error. Texts are handed on as they are, so that no number is bent.
 */
export function readToolResult(result: string): Reply {
  const spans = memberSpans(result);
  const members = spans === undefined ? undefined : uniqueMembers(spans);
  if (members === undefined) return malformed(`a result that is no object with each member once: ${shown(result)}`);
  const marked = slice(result, members.get("isError")) ?? "false";
  if (marked !== "true" && marked !== "false") return malformed(`isError is true or false, met ${shown(marked)}`);
  const tag = marked === "true" ? "Failed" : "Ok";
  const structured = slice(result, members.get("structuredContent"));
  if (structured !== undefined && structured !== "null") return { tag, text: structured };
  const texts = textBlocks(result, members.get("content"));
  const [only] = texts;
  if (only === undefined || texts.length > 1) {
    return malformed(`a result without structured content has one text block, met ${texts.length}: ${shown(result)}`);
  }
  return { tag, text: only };
}

function textBlocks(result: string, content: Span | undefined): readonly string[] {
  const blocks = content === undefined ? undefined : itemSpans(result, content.start);
  return (blocks ?? []).flatMap((block) => {
    const members = uniqueMembers(memberSpans(result, block.start) ?? []);
    if (members === undefined || stringAt(result, members.get("type")) !== "text") return [];
    const text = stringAt(result, members.get("text"));
    return text === undefined ? [] : [text];
  });
}

function slice(text: string, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}
