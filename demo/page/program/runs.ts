/** The runs of the Program view, one at a time: of the program that is there, of a history, and from a call of one. */
import type { Fault, Setup } from "../../runner/messages.ts";
import { announce } from "../clipboard.ts";
import { type Call, RunModel } from "./model.ts";
import type { RunPanel } from "./run-panel.ts";
import type { Ended, RunnerClient, RunRequest } from "./runner-client.ts";

interface RunsSettings {
  readonly client: RunnerClient;
  readonly panel: RunPanel;
  /** @throws Error (as a rejection) where the declarations are refused */
  readonly setup: () => Promise<Setup>;
  /** The program's text as JavaScript. */
  readonly program: () => Promise<string>;
  /** The Tools there are, by identity: a lane each. */
  readonly tools: () => readonly string[];
  /** The switches that are on. */
  readonly faults: () => ReadonlyMap<string, Fault>;
}

export class Runs {
  private readonly settings: RunsSettings;
  /** The run that is shown. */
  private run: { readonly id: string; readonly model: RunModel; cancelled?: true } | undefined;
  private recorded = "";

  constructor(settings: RunsSettings) {
    this.settings = settings;
  }

  get hasBegun(): boolean {
    return this.run !== undefined;
  }

  /** The history of the run that was made or opened last; empty where there is none. */
  get history(): string {
    return this.recorded;
  }

  /** Runs the program. @returns What became of it; undefined where another run has taken its place, or it could not begin */
  async start(): Promise<RunModel | undefined> {
    const { client, panel, tools, faults } = this.settings;
    if (this.run !== undefined) client.replace(this.run.id);
    const model = new RunModel(tools(), faults());
    panel.begin(model, "The program runs…");
    const ended = await this.request(model, async () => ({ kind: "run", ...(await this.parts()) }));
    if (ended === undefined) return undefined;
    this.recorded = ended.history;
    panel.end(ended.ending, ended.history !== "", this.nextStep());
    return model;
  }

  cancel(): void {
    if (this.run === undefined) return;
    // What it runs may still be on its way.
    this.run.cancelled = true;
    this.settings.client.cancel(this.run.id);
  }

  /** Runs the program again, answered from a history. */
  async replay(history: string = this.recorded): Promise<void> {
    const before = this.run?.model;
    // The run that was just made is shown at its own times, one that was opened in recorded order.
    const model =
      history === this.recorded && before !== undefined && before.calls.length > 0
        ? before
        : RunModel.ofHistory(history, this.settings.tools());
    model.ghost = true;
    this.settings.panel.begin(model, "The program runs again, answered from its history…");
    const ended = await this.request(model, async () => ({
      kind: "replay",
      history,
      ...(await this.parts()),
    }));
    if (ended === undefined) return;
    const { ending } = ended;
    this.recorded = history;
    this.settings.panel.end(ending, true, null);
    if (ending.status !== "diverged") return;
    const [, id = ""] = /\bcall (\d[\d.]*)/.exec(ending.reasons[0]?.message ?? "") ?? [];
    const at = model.find(id) ?? model.calls.at(-1);
    this.settings.panel.timeline.markDivergence(at);
    if (at !== undefined) this.settings.panel.timeline.select(at);
  }

  /** Makes a new run that does the same up to a call. @param args That call's arguments as JSON text, where they are to differ. */
  async fork(call: Call, args: string | undefined): Promise<void> {
    const { panel, tools, faults } = this.settings;
    const { history } = this;
    const model = new RunModel(tools(), faults());
    // What the fork keeps is replayed and so not sent again: it is drawn as it was.
    panel.begin(model, `A new run that does the same up to call ${call.call}…`);
    const ended = await this.request(model, async () => ({
      kind: "fork",
      history,
      at: call.call,
      ...(args === undefined ? {} : { args }),
      ...(await this.parts()),
    }));
    if (ended === undefined) return;
    if (ended.history !== "") this.recorded = ended.history;
    panel.end(
      ended.ending,
      true,
      `The calls before call ${call.call} were answered from the history; those on the timeline were made now.`,
    );
    const first = model.calls[0];
    if (first !== undefined) panel.timeline.select(first);
  }

  /** Replays a history that somebody kept. */
  async open(text: string): Promise<void> {
    try {
      RunModel.ofHistory(text, []);
    } catch (caught) {
      announce(`That is no history: ${(caught as Error).message}`);
      return;
    }
    this.recorded = "";
    await this.replay(text);
  }

  private async parts(): Promise<{ setup: Setup; program: string }> {
    const { setup, program } = this.settings;
    return { setup: await setup(), program: await program() };
  }

  /** Hands a request to the runner and shows what happens. @returns undefined where another run has taken its place */
  private async request(model: RunModel, make: () => Promise<RunRequest>): Promise<Ended | undefined> {
    const turn: NonNullable<typeof this.run> = { id: "", model };
    this.run = turn;
    let request: RunRequest;
    try {
      request = await make();
    } catch (caught) {
      if (this.run === turn)
        this.settings.panel.end({ status: "threw", reasons: [{ code: "error", message: (caught as Error).message }] }, false, null);
      return undefined;
    }
    if (this.run !== turn) return undefined;
    if (turn.cancelled) {
      this.settings.panel.end(
        { status: "threw", reasons: [{ code: "cancelled", message: "somebody pressed Cancel before it began" }] },
        false,
        null,
      );
      return undefined;
    }
    const { run, ended } = this.settings.client.start(request, {
      events: (events) => {
        for (const event of events) model.take(event);
        if (this.run?.model === model) this.settings.panel.update();
      },
    });
    const started = { id: run, model };
    this.run = started;
    const result = await ended;
    return this.run === started ? result : undefined;
  }

  private nextStep(): string {
    return this.settings.faults().size === 0
      ? "Next: break a Tool below. Make ledger.post answer late, and see why its outcome is Unknown and not NotRun."
      : "Next: select a call that was broken, read why it ended so, and fork from it.";
  }
}
