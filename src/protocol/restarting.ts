/**
 * A binding over one implementation that speaks this protocol in messages and is started again when it has ended: what
 * a child process and a Worker have in common.
 */
import { DEEPEST_LIMIT, DEFAULT_LIMITS } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "./binding.ts";
import { type Description, readDescription, requireFit } from "./description.ts";
import { Listeners } from "./events.ts";
import { callText, cancelText, type Message } from "./messages.ts";
import { notRun, type Reply, reasonOf } from "./outcome.ts";
import type { Oversized } from "./oversized.ts";
import { type PendingCall, PendingCalls } from "./pending.ts";
import { type Dialect, type OpenChannel, Session } from "./session.ts";

/** The four messages as they stand in R26. */
export const FLOW_DIALECT: Dialect = {
  async describe(session, data) {
    return readDescribed(await session.request(1, "describe", `{"data":${JSON.stringify(data)}}`));
  },
  call: callText,
  cancel: cancelText,
  replyIn(message: Message) {
    if (message.kind !== "reply") return undefined;
    const { run, call, reply } = message;
    return { ids: { run, call }, reply };
  },
  idsIn(message: Oversized) {
    return message.kind === "reply" ? message.ids : undefined;
  },
};

/** The description in the result of a describe response. Signatures hold schemas, which nest deeper than values. */
export function readDescribed(result: string): Description {
  return readDescription(parseJson(result, { ...DEFAULT_LIMITS, depth: DEEPEST_LIMIT }));
}

export interface RestartingSettings {
  readonly title: string;
  readonly open: OpenChannel;
  readonly startMs: number;
  readonly concurrency: number | undefined;
}

export class RestartingBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  protected readonly listeners: Listeners = new Listeners();
  protected readonly calls: PendingCalls = new PendingCalls(this.listeners);
  private readonly settings: RestartingSettings;
  private session: Session | undefined;
  private waiting = 0;
  private data = "";
  private isClosed = false;

  constructor(settings: RestartingSettings) {
    this.settings = settings;
    this.title = settings.title;
    this.concurrency = settings.concurrency;
  }

  async describe(data: string, signal: AbortSignal): Promise<Description> {
    this.data = data;
    this.isClosed = false;
    const session = this.current();
    this.waiting++;
    const giveUp = () => {
      // Whoever else waits for the same start still does.
      if (this.waiting === 1) session.fail("nobody waits any longer for it to start");
    };
    signal.addEventListener("abort", giveUp);
    try {
      return await session.description;
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.waiting--;
    }
  }

  call(message: CallMessage): Promise<Reply> {
    const call = this.calls.add(message);
    if (call === undefined) return Promise.resolve(notRun("a call with the same run and call id is out already"));
    void this.send(call, message);
    return call.reply;
  }

  cancel(ids: CallIds): void {
    const call = this.calls.get(ids);
    if (call === undefined) return;
    if (call.owner instanceof Session) call.owner.cancel(call);
    else this.calls.close(call, notRun("the call was cancelled before it was sent"));
  }

  abandon(ids: CallIds): void {
    this.calls.abandon(ids);
  }

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    const { session } = this;
    this.session = undefined;
    await session?.close();
  }

  /** The session that calls go to at present, where there is one that takes them. */
  protected get live(): Session | undefined {
    return this.session?.over === undefined ? this.session : undefined;
  }

  private async send(call: PendingCall, message: CallMessage): Promise<void> {
    try {
      if (this.isClosed) throw new Error("the binding was closed");
      const session = this.current();
      const description = session.described ?? (await session.description);
      requireFit(description, message.tool, message.fingerprint);
      if (this.calls.isOpen(call)) session.submit(call, message);
    } catch (caught) {
      this.calls.close(call, notRun(`the implementation could not be started for the call: ${reasonOf(caught)}`));
    }
  }

  /** The session in use, or a new one where there is none that takes calls. */
  private current(): Session {
    const before = this.session;
    if (before !== undefined && before.over === undefined) return before;
    const { open, startMs } = this.settings;
    const session = new Session({ open, dialect: FLOW_DIALECT, calls: this.calls, listeners: this.listeners, startMs }, this.data);
    this.session = session;
    if (before !== undefined) {
      session.description.then(
        () => this.listeners.restarted(before.over as string),
        () => {},
      );
    }
    return session;
  }
}
