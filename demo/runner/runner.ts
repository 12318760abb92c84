/** Runs programs in a Worker, and tells the page what happens. */
import {
  createHost,
  type Host,
  isFlowError,
  MemoryStore,
  type Program,
  parseJson,
  type Run,
  readTools,
  type ToolsDocument,
} from "flow-host";
import { bindTool } from "./bindings.ts";
import { GRACE_MS, PATIENCE_MS } from "./break.ts";
import { DroppedComponents } from "./dropped.ts";
import type { Answer, Ending, Reason, Request, RunEvent, RunStart, Setup } from "./messages.ts";
import { loadFunction } from "./modules.ts";

/** What a program is, as the page writes it: the function that makes the calls. */
type PageProgram = (call: Call, context: { readonly signal: AbortSignal }) => unknown;
/** A Tool by its identity, or by its file and name: `search.find`. */
type Call = (tool: string, values: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** One set of bindings and the host over them; a change of either makes a new one. */
interface Prepared {
  readonly tools: ToolsDocument;
  readonly host: Host;
  /** Tools that are waited for only so long. */
  readonly impatient: ReadonlySet<string>;
}

interface Active {
  readonly controller: AbortController;
  readonly store: MemoryStore;
}

/** Events are told together, this many milliseconds apart: 5,000 calls are not 10,000 messages. */
const TELL_MS = 16;

const post = (answer: Answer): void => postMessage(answer);
const clock = (): number => performance.timeOrigin + performance.now();

export class Runner {
  private prepared: { readonly key: string; readonly made: Promise<Prepared> } | undefined;
  private readonly active = new Map<string, Active>();
  private readonly waiting = new Map<string, RunEvent[]>();
  private readonly dropped = new DroppedComponents();
  private telling: ReturnType<typeof setTimeout> | undefined;

  async take(request: Request): Promise<void> {
    switch (request.kind) {
      case "cancel":
        this.active.get(request.run)?.controller.abort(new Error("somebody pressed Cancel"));
        return;
      case "component":
        this.dropped.add(request.component);
        return;
      case "describe":
        post(await this.describe(request.component));
        return;
      default:
        await this.start(request);
    }
  }

  private async describe(component: string): Promise<Answer> {
    try {
      return { kind: "described", component, description: await this.dropped.describe(component) };
    } catch (caught) {
      return { kind: "undescribed", component, reason: reasonOf(caught) };
    }
  }

  private async start(request: RunStart): Promise<void> {
    const { run } = request;
    const store = new MemoryStore();
    const controller = new AbortController();
    this.active.set(run, { controller, store });
    const ending = await this.run(request, store, controller.signal).catch((caught: unknown): Ending => endingOf(caught));
    this.active.delete(run);
    this.tell();
    post({ kind: "end", run, ending, history: store.read() });
  }

  private async run(request: RunStart, history: MemoryStore, signal: AbortSignal): Promise<Ending> {
    const { run, setup } = request;
    const prepared = await this.prepare(setup);
    const { host } = prepared;
    if (request.kind === "call") {
      const started = await host.start({
        program: oneCall(prepared, request.tool, request.args, signal),
        input: request.args,
        run,
        history,
      });
      await started.result;
      return { status: "done", result: "" };
    }
    const written = await loadFunction<PageProgram>(request.program, "the program");
    const program = pageProgram(prepared, written, signal);
    if (request.kind === "replay") {
      const report = await host.replay({ program, history: new MemoryStore(request.history) });
      return report.status === "diverged" ? { status: "diverged", reasons: [reasonOf(report.divergence)] } : { status: report.status };
    }
    if (request.kind === "fork") {
      const { at, args } = request;
      const from = new MemoryStore(request.history);
      const forked = await host.fork({ program, from, at, history, run, ...(args === undefined ? {} : { args }) });
      return { status: "done", result: shown(await forked.result) };
    }
    const started = await host.start({ program, run, history });
    return { status: "done", result: shown(await started.result) };
  }

  private prepare(setup: Setup): Promise<Prepared> {
    const key = JSON.stringify(setup);
    if (this.prepared?.key !== key) {
      const before = this.prepared?.made;
      const made = this.make(setup);
      this.prepared = { key, made };
      // What did not come up is tried again; what is no longer bound is ended, once what it still has to say was heard.
      made.catch(() => {
        if (this.prepared?.made === made) this.prepared = undefined;
      });
      void before?.then(({ host }) => host[Symbol.asyncDispose]()).catch(() => {});
    }
    return (this.prepared as NonNullable<typeof this.prepared>).made;
  }

  private async make({ tools: text, bindings: setups }: Setup): Promise<Prepared> {
    const tools = await readTools(text);
    const bound = await Promise.all(
      tools.tools.map(async (entry) => {
        const setup = setups[entry.tool];
        return setup === undefined ? [] : [[entry.tool, await bindTool(entry, setup, { tools: text, dropped: this.dropped })] as const];
      }),
    );
    const host = createHost({
      bindings: new Map(bound.flat()),
      graceMs: GRACE_MS,
      now: clock,
      onCall: ({ run, call, tool, binding, args, at }) => this.happened(run, { kind: "call", call, tool, binding, args, at }),
      onSettle: ({ run, call, outcome, text: written, at }) =>
        this.happened(run, { kind: "settle", call, tag: outcome.tag, text: written(), at }),
      onDrop: ({ ids, why, detail }) => this.happened(ids?.run, { kind: "drop", call: ids?.call, why, detail, at: clock() }),
      onRestart: ({ binding, reason }) => this.happened(undefined, { kind: "restart", binding, reason, at: clock() }),
      log: (line) => this.happened(undefined, { kind: "log", line, at: clock() }),
    });
    const impatient = tools.tools.filter(({ tool }) => ["late", "never"].includes(setups[tool]?.fault ?? "")).map(({ tool }) => tool);
    return { tools, host, impatient: new Set(impatient) };
  }

  /** @param run Where it belongs to none, every run that is active is told. */
  private happened(run: string | undefined, event: RunEvent): void {
    for (const id of run === undefined ? this.active.keys() : [run]) {
      const events = this.waiting.get(id);
      if (events === undefined) this.waiting.set(id, [event]);
      else events.push(event);
    }
    this.telling ??= setTimeout(() => this.tell(), TELL_MS);
  }

  private tell(): void {
    clearTimeout(this.telling);
    this.telling = undefined;
    for (const [run, events] of this.waiting) post({ kind: "events", run, events });
    this.waiting.clear();
  }
}

function pageProgram({ tools, impatient }: Prepared, written: PageProgram, signal: AbortSignal): Program {
  const names = new Map(tools.tools.flatMap(({ tool }) => [[tool, tool] as const, [shortName(tool), tool] as const]));
  const run = (calls: Run) =>
    written(
      (name, values) => {
        const tool = names.get(name) ?? name;
        return calls.call(tool, values, { signal, ...(impatient.has(tool) ? { timeoutMs: PATIENCE_MS } : {}) });
      },
      { signal },
    );
  return { tools, run };
}

/** A program of one call, which can reach nothing but its Tool and takes the Tool's arguments as its input. */
function oneCall({ tools, impatient }: Prepared, tool: string, args: string, signal: AbortSignal): Program {
  const entry = tools.tools.find((each) => each.tool === tool);
  if (entry === undefined) throw new Error(`there is no Tool ${tool}`);
  parseJson(args);
  return {
    tools: { ...tools, tools: [entry] },
    input: entry.spec.params,
    types: entry.spec.declarations,
    run: (calls, values) => calls.call(tool, values, { signal, ...(impatient.has(tool) ? { timeoutMs: PATIENCE_MS } : {}) }),
  };
}

function shortName(tool: string): string {
  return tool.slice(tool.lastIndexOf("/") + 1).replace(".flow.", ".");
}

function shown(result: unknown): string {
  return result === undefined ? "" : String(result);
}

function endingOf(caught: unknown): Ending {
  if (!isFlowError(caught)) return { status: "threw", reasons: [reasonOf(caught)] };
  if (caught.code !== "refused") return { status: "threw", reasons: [reasonOf(caught)] };
  return { status: "refused", reasons: caught.errors.map(reasonOf) };
}

function reasonOf(caught: unknown): Reason {
  if (!isFlowError(caught))
    return { code: "error", message: caught instanceof Error ? `${caught.name}: ${caught.message}` : String(caught) };
  return { code: caught.code, message: caught.message, ...(caught.tool === undefined ? {} : { tool: caught.tool }) };
}

const runner = new Runner();
addEventListener("message", ({ data }: MessageEvent<Request>) => void runner.take(data));
post({ kind: "ready" });
