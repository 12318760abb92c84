/** A toolset of this process as an implementation: what is served elsewhere over messages answers here directly. */
import { FlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import { type Description, readDescription } from "../protocol/description.ts";
import { readOutcomeText } from "../protocol/messages.ts";
import { type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import { keyOf } from "../protocol/pending.ts";
import type { Stopping, Toolset } from "../protocol/toolset.ts";

/** How a toolset of this process is bound. */
export interface ToolsetOptions {
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** What it is called in a transcript. */
  readonly title?: string;
}

/** Binds a toolset, such as `implement` makes one. All Tools it serves share the one binding. */
export function bindToolset(toolset: Toolset, options: ToolsetOptions = {}): Binding {
  return new ToolsetBinding(toolset, options);
}

class ToolsetBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly toolset: Toolset;
  private readonly open = new Map<string, Stop>();

  constructor(toolset: Toolset, { concurrency, title = "toolset" }: ToolsetOptions) {
    this.toolset = toolset;
    this.concurrency = concurrency;
    this.title = title;
  }

  async describe(data: string): Promise<Description> {
    let text: string;
    try {
      text = await this.toolset.describe(data);
    } catch (cause) {
      throw new FlowError("start", `the toolset could not describe itself: ${reasonOf(cause)}`, { cause });
    }
    return readDescription(parseJson(text, { depth: DEEPEST_LIMIT }));
  }

  async call(message: CallMessage): Promise<Reply> {
    const key = keyOf(message);
    const stop = new Stop();
    this.open.set(key, stop);
    try {
      const reply = await this.toolset.answerValues?.(message, stop);
      return reply ?? readOutcomeText(await this.toolset.answer(message, stop.signal));
    } catch (thrown) {
      return unknown(`the Tool's code stopped with an error: ${reasonOf(thrown)}`);
    } finally {
      if (this.open.get(key) === stop) this.open.delete(key);
    }
  }

  cancel(ids: CallIds): void {
    this.open.get(keyOf(ids))?.abort("the host asked to stop the call");
  }

  /** Code of this process cannot be stopped from outside: it was told by its signal. */
  abandon(): void {}

  listen(_events: BindingEvents): () => void {
    return () => {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.open.values()) stop.abort("the binding was closed");
  }
}

/** Whether a call is to stop. Its signal is made when it is first asked for. */
class Stop implements Stopping {
  private controller: AbortController | undefined;
  private reason: Error | undefined;

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.reason !== undefined) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  abort(why: string): void {
    this.reason ??= new Error(why);
    this.controller?.abort(this.reason);
  }
}
