/** The connections to one MCP server (R40): one for each run, pooled between runs. */
import type { BindingEvents } from "../protocol/binding.ts";
import { Listeners } from "../protocol/events.ts";
import { PendingCalls } from "../protocol/pending.ts";
import { type OpenChannel, Session } from "../protocol/session.ts";
import { McpDialect } from "./mcpdialect.ts";

export interface McpServerSettings {
  readonly open: OpenChannel;
  readonly startMs: number;
}

/** One started server and what it is used for. */
export interface Connection {
  readonly session: Session;
  readonly dialect: McpDialect;
}

/** Past so many connections, a run takes one over that another run is not using just now. */
const MANY = 8;

export class McpServer {
  readonly calls: PendingCalls;
  private readonly settings: McpServerSettings;
  private readonly listeners = new Listeners();
  private readonly speakers: Listeners[] = [];
  /** Least recently used first. */
  private connections: Connection[] = [];
  private users = 0;
  private ended: string | undefined;

  constructor(settings: McpServerSettings) {
    this.settings = settings;
    this.calls = new PendingCalls(this.listeners);
    const speaker = (): BindingEvents | undefined => this.speakers.find(({ size }) => size > 0);
    // Several declarations share a server; what it says is said once.
    this.listeners.add({
      dropped: (message) => speaker()?.dropped(message),
      restarted: (reason) => speaker()?.restarted(reason),
      log: (line) => speaker()?.log(line),
    });
  }

  /** Makes the listeners of a binding one of those that hear the server. */
  speakTo(listeners: Listeners): void {
    this.speakers.push(listeners);
  }

  /** The connection of a run, or any that lives where no run is meant. */
  connection(run: string | undefined): Connection {
    this.connections = this.connections.filter(({ session }) => {
      if (session.over !== undefined) this.ended = session.over;
      return session.over === undefined;
    });
    const found = this.find(run) ?? this.start();
    if (run !== undefined) found.dialect.run = run;
    this.connections = [...this.connections.filter((other) => other !== found), found];
    return found;
  }

  /** The connection that a call was handed to. */
  connectionOf(owner: unknown): Connection | undefined {
    return this.connections.find(({ session }) => session === owner);
  }

  /** A run has ended: its connection serves the next one, unless the server still owes it an answer. */
  finished(run: string): void {
    for (const { session, dialect } of this.connections) {
      if (dialect.run !== run) continue;
      if (dialect.unanswered.size === 0) dialect.run = undefined;
      else void session.close();
    }
  }

  use(): void {
    this.users++;
  }

  /** Ends the server once nobody uses it. */
  async release(): Promise<void> {
    if (--this.users > 0) return;
    const connections = this.connections.splice(0);
    await Promise.all(connections.map(({ session }) => session.close()));
  }

  private find(run: string | undefined): Connection | undefined {
    if (run === undefined) return this.connections.at(-1);
    const own = this.connections.find(({ dialect }) => dialect.run === run);
    const free = own ?? this.connections.find(({ dialect }) => dialect.run === undefined);
    if (free !== undefined || this.connections.length < MANY) return free;
    return this.connections.find(({ dialect }) => dialect.unanswered.size === 0);
  }

  private start(): Connection {
    const { open, startMs } = this.settings;
    const { ended, listeners, calls } = this;
    this.ended = undefined;
    const dialect = new McpDialect((line) => listeners.log(line));
    const session = new Session({ open, dialect, calls, listeners, startMs }, "");
    if (ended !== undefined) {
      session.description.then(
        () => listeners.restarted(ended),
        () => {},
      );
    }
    return { session, dialect };
  }
}
