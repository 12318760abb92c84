/** The page's side of the runner: it starts the Worker, hands runs to it, and ends it where a program does not let it answer. */
import type { Answer, DroppedComponent, Ending, Reason, Request, RunEvent, RunStart } from "../../runner/messages.ts";

export interface RunWatch {
  events(events: readonly RunEvent[]): void;
}

export interface Ended {
  readonly ending: Ending;
  readonly history: string;
}

/** Without `run`, which is given here; over each kind of request. */
export type RunRequest = RunStart extends infer Each ? (Each extends unknown ? Omit<Each, "run"> : never) : never;

/** A component that was asked what it serves, and did not say. */
export class Undescribed extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.message);
    this.reason = reason;
  }
}

interface Waiting {
  readonly watch: RunWatch;
  readonly resolve: (ended: Ended) => void;
}

/** So long a program that was cancelled has to come to its end before its Worker is ended: grace times are shorter. */
const STUBBORN_MS = 2_000;

export class RunnerClient {
  private worker: { readonly it: Worker; readonly ready: Promise<void> } | undefined;
  private readonly waiting = new Map<string, Waiting>();
  /** Late replies of runs that have ended are still shown. */
  private readonly watches = new Map<string, RunWatch>();
  /** Each runner is told of them all. */
  private readonly components = new Map<string, DroppedComponent>();
  private readonly describing = new Map<string, { resolve(description: string): void; reject(why: Undescribed): void }>();
  private count = 0;

  /** Starts the Worker, so that the first run need not wait for it. */
  warm(): void {
    void this.open().ready;
  }

  start(request: RunRequest, watch: RunWatch): { readonly run: string; readonly ended: Promise<Ended> } {
    const run = `page-${++this.count}`;
    const ended = new Promise<Ended>((resolve) => this.waiting.set(run, { watch, resolve }));
    this.watches.set(run, watch);
    const { it, ready } = this.open();
    void ready.then(() => it.postMessage({ ...request, run }));
    return { run, ended };
  }

  /**
   * Gives the runner a component to keep.
   * @returns what it serves, as JSON text of its description
   * @throws Undescribed where it does not start
   */
  async add(component: DroppedComponent): Promise<string> {
    const { it, ready } = this.open();
    await ready;
    it.postMessage({ kind: "component", component } satisfies Request);
    it.postMessage({ kind: "describe", component: component.id } satisfies Request);
    const description = await new Promise<string>((resolve, reject) => this.describing.set(component.id, { resolve, reject }));
    this.components.set(component.id, component);
    return description;
  }

  cancel(run: string): void {
    const { worker } = this;
    if (worker === undefined || !this.waiting.has(run)) return;
    worker.it.postMessage({ kind: "cancel", run } satisfies Request);
    setTimeout(() => {
      if (this.waiting.has(run) && this.worker === worker)
        this.end("the program did not stop when it was cancelled, so its Worker was ended");
    }, STUBBORN_MS);
  }

  /** Asks a run to stop that another one takes the place of. Its Worker stays, since the other one is in it too. */
  replace(run: string): void {
    this.forget(run);
    if (this.waiting.has(run)) this.worker?.it.postMessage({ kind: "cancel", run } satisfies Request);
  }

  /** No more is heard of a run that is not shown any longer. */
  forget(run: string): void {
    this.watches.delete(run);
  }

  private open(): { readonly it: Worker; readonly ready: Promise<void> } {
    if (this.worker !== undefined) return this.worker;
    // From a blob: address, a Worker has the page's own policy: no code of strings, and no address but those allowed.
    const address = new URL("runner.js", import.meta.url).href;
    const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
    const it = new Worker(script, { type: "module", name: "runner" });
    const ready = new Promise<void>((resolve) => {
      it.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
        if (data.kind === "ready") resolve();
        else this.take(data);
      });
    });
    it.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(`the runner stopped: ${event.message || "it could not be loaded"}`);
    });
    const known = [...this.components.values()];
    void ready.then(() => {
      for (const component of known) it.postMessage({ kind: "component", component } satisfies Request);
    });
    this.worker = { it, ready };
    return this.worker;
  }

  private take(answer: Exclude<Answer, { readonly kind: "ready" }>): void {
    if (answer.kind === "events") {
      this.watches.get(answer.run)?.events(answer.events);
      return;
    }
    if (answer.kind === "described") {
      this.describing.get(answer.component)?.resolve(answer.description);
      return;
    }
    if (answer.kind === "undescribed") {
      this.describing.get(answer.component)?.reject(new Undescribed(answer.reason));
      return;
    }
    const { run, ending, history } = answer;
    this.waiting.get(run)?.resolve({ ending, history });
    this.waiting.delete(run);
  }

  /** Ends the Worker and with it all runs; the next one starts another. */
  private end(message: string): void {
    this.worker?.it.terminate();
    this.worker = undefined;
    const ending: Ending = { status: "threw", reasons: [{ code: "ended", message }] };
    for (const { resolve } of this.waiting.values()) resolve({ ending, history: "" });
    this.waiting.clear();
    for (const { reject } of this.describing.values()) reject(new Undescribed({ code: "ended", message }));
    this.describing.clear();
  }
}
