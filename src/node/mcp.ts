/** An MCP server over standard input and output as a Tool (*Adapters*, R40). */
import { FlowError } from "../json/errors.ts";
import { resolveLimits } from "../json/limits.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import { type Description, requireFit } from "../protocol/description.ts";
import { Listeners } from "../protocol/events.ts";
import { notRun, type Reply, reasonOf } from "../protocol/outcome.ts";
import type { PendingCall } from "../protocol/pending.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { parseIdentity } from "../signature/identity.ts";
import type { ToolEntry } from "../signature/tools.ts";
import { openChild } from "./child.ts";
import { type Connection, McpServer } from "./mcpserver.ts";
import type { ProcessOptions } from "./options.ts";
import { splitWords } from "./words.ts";

/** How an MCP server is bound. */
export type McpOptions = ProcessOptions;

/**
 * Binds the command of an MCP server for some declarations: each is answered by the server's tool of its name.
 * @param tools The declarations, entries of a `tools` output.
 * @throws FlowError `generic-mcp` for a generic declaration, `command` for a command that cannot be split
 */
export function bindMcp(command: string | readonly string[], cwd: string, tools: readonly ToolEntry[], options: McpOptions = {}): Binding {
  const title = options.title ?? `mcp ${typeof command === "string" ? command : command.join(" ")}`;
  return new McpBinding(mcpServer(command, cwd, options), tools, title, options.concurrency);
}

/** @internal A server that several bindings share. */
export function mcpServer(command: string | readonly string[], cwd: string, options: McpOptions = {}): McpServer {
  const words = typeof command === "string" ? splitWords(command) : command;
  const { env, startMs = 10_000, closeMs = 2_000 } = options;
  const limit = resolveLimits(options.limits).bytes;
  return new McpServer({ open: (inlet) => openChild({ words, cwd, env, limit, closeMs }, inlet), startMs });
}

/** @internal */
export class McpBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly server: McpServer;
  private readonly tools: readonly ToolEntry[];
  private readonly listeners = new Listeners();
  private isUsed = false;

  constructor(server: McpServer, tools: readonly ToolEntry[], title: string, concurrency: number | undefined) {
    for (const { tool, spec } of tools) {
      if (spec.generic.length > 0)
        throw new FlowError("generic-mcp", `${tool} is generic, and MCP has no words for the types of a call`, { tool });
    }
    this.server = server;
    this.tools = tools;
    this.title = title;
    this.concurrency = concurrency;
    server.speakTo(this.listeners);
  }

  async describe(_data: string, signal: AbortSignal): Promise<Description> {
    if (!this.isUsed) this.server.use();
    this.isUsed = true;
    const connection = this.server.connection(undefined);
    const giveUp = () => connection.session.fail("nobody waits any longer for it to start");
    // A connection that runs already is not given up for one more question.
    if (connection.dialect.run === undefined) signal.addEventListener("abort", giveUp);
    try {
      await connection.session.description;
      return this.served(connection);
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  call(message: CallMessage): Promise<Reply> {
    const { calls } = this.server;
    const call = calls.add(message);
    if (call === undefined) return Promise.resolve(notRun("a call with the same run and call id is out already"));
    void this.send(call, message);
    return call.reply;
  }

  cancel(ids: CallIds): void {
    const { calls } = this.server;
    const call = calls.get(ids);
    if (call === undefined) return;
    const connection = this.server.connectionOf(call.owner);
    if (connection === undefined) {
      calls.close(call, notRun("the call was cancelled before it was sent"));
      return;
    }
    // What never goes out is never answered.
    if (!call.begun) connection.dialect.unanswered.delete(ids.call);
    connection.session.cancel(call);
  }

  abandon(ids: CallIds): void {
    this.server.calls.abandon(ids);
  }

  finished(run: string): void {
    this.server.finished(run);
  }

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isUsed) return;
    this.isUsed = false;
    await this.server.release();
  }

  private async send(call: PendingCall, message: CallMessage): Promise<void> {
    const { calls } = this.server;
    try {
      if (!this.isUsed) throw new Error("the binding was closed");
      const connection = this.server.connection(message.run);
      if (connection.session.described === undefined) await connection.session.description;
      requireFit(this.served(connection), message.tool, message.fingerprint);
      if (calls.isOpen(call)) connection.session.submit(call, message);
    } catch (caught) {
      calls.close(call, notRun(`the server could not be started for the call: ${reasonOf(caught)}`));
    }
  }

  /** A server says which tools it has; what they take and give, the declarations say. */
  private served({ dialect }: Connection): Description {
    const served = this.tools.filter(({ tool }) => dialect.names.has(parseIdentity(tool).name));
    return { data: DATA_VERSION, tools: served, missing: "unbound" };
  }
}
