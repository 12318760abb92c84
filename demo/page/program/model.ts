/** A run as the page has it: its calls in the order in which they were made, on one lane for each Tool. */
import { readHistory } from "flow-host";
import type { Fault, OutcomeTag, RunEvent } from "../../runner/messages.ts";

export interface Call {
  readonly index: number;
  readonly call: string;
  readonly tool: string;
  readonly binding: string;
  readonly args: string;
  /** Milliseconds; of a history that was opened, steps in recorded order. */
  readonly sent: number;
  settled: number | undefined;
  tag: OutcomeTag | undefined;
  /** Canonical text of the outcome. */
  text: string | undefined;
  /** Replies and other messages that were dropped. */
  readonly dropped: { readonly at: number; readonly why: string; readonly detail: string }[];
  /** What its Tool was made to do wrong. */
  readonly fault: Fault | undefined;
  /** The line of its lane that it is drawn on: calls of one Tool that are out together have one each. */
  readonly row: number;
  /** Its lane and row as one number, below {@link RunModel.lineCount}. */
  readonly line: number;
}

/** More lines than these are folded into one another. */
const MOST_ROWS = 4;

export class RunModel {
  readonly calls: Call[] = [];
  readonly lanes: string[] = [];
  /** Whether times are steps of a recorded order. */
  readonly isOrder: boolean;
  /** When it began; drawn times count from here. */
  start: number | undefined;
  end = 0;
  /** Replayed: nothing was dispatched. */
  ghost = false;
  /** Its run has ended: what has no outcome by now, because its Worker was ended, will have none. */
  closed = false;
  readonly log: string[] = [];
  private readonly byId = new Map<string, Call>();
  private readonly rows = new Map<string, number[]>();
  private readonly faults: ReadonlyMap<string, Fault>;

  constructor(tools: readonly string[], faults: ReadonlyMap<string, Fault> = new Map(), isOrder = false) {
    this.lanes.push(...tools);
    this.faults = faults;
    this.isOrder = isOrder;
  }

  /** A history that was opened, with what it holds and no times. */
  static ofHistory(text: string, tools: readonly string[]): RunModel {
    const { entries } = readHistory(text);
    const model = new RunModel(tools, new Map(), true);
    entries.forEach((entry, at) => {
      if (entry.kind === "call") {
        const { call, tool, args } = entry;
        model.take({ kind: "call", call, tool, args, binding: "history", at });
      } else if (entry.kind === "outcome") {
        const { call, tag, content } = entry;
        model.take({ kind: "settle", call, tag, text: `{"${tag}":${content}}`, at });
      }
    });
    model.end = Math.max(entries.length, 1);
    return model;
  }

  take(event: RunEvent): void {
    switch (event.kind) {
      case "call": {
        const { call, tool, binding, args, at } = event;
        this.start ??= at;
        if (!this.lanes.includes(tool)) this.lanes.push(tool);
        const row = this.rowOf(tool);
        const fault = this.faults.get(tool);
        const made: Call = {
          index: this.calls.length,
          call,
          tool,
          binding,
          args,
          sent: at,
          settled: undefined,
          tag: undefined,
          text: undefined,
          dropped: [],
          fault,
          row,
          line: this.lanes.indexOf(tool) * MOST_ROWS + row,
        };
        this.calls.push(made);
        this.byId.set(call, made);
        break;
      }
      case "settle": {
        const settled = this.byId.get(event.call);
        if (settled === undefined) break;
        settled.settled = event.at;
        settled.tag = event.tag;
        settled.text = event.text;
        this.freeRow(settled);
        break;
      }
      case "drop":
        if (event.call !== undefined) this.byId.get(event.call)?.dropped.push(event);
        this.log.push(`dropped (${event.why}): ${event.detail}`);
        break;
      case "restart":
        this.log.push(`${event.binding} was started again: ${event.reason}`);
        break;
      case "log":
        this.log.push(event.line);
    }
    this.end = Math.max(this.end, event.at);
  }

  find(call: string): Call | undefined {
    return this.byId.get(call);
  }

  get isOpen(): boolean {
    return !this.closed && !this.isOrder && this.calls.some(({ settled }) => settled === undefined);
  }

  get lineCount(): number {
    return this.lanes.length * MOST_ROWS;
  }

  counts(): ReadonlyMap<OutcomeTag, number> {
    const counts = new Map<OutcomeTag, number>();
    for (const { tag } of this.calls) if (tag !== undefined) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return counts;
  }

  /** How many lines a lane has. */
  height(tool: string): number {
    return Math.max(1, Math.min(this.rows.get(tool)?.length ?? 1, MOST_ROWS));
  }

  private rowOf(tool: string): number {
    const taken = this.rows.get(tool) ?? [];
    this.rows.set(tool, taken);
    const free = taken.indexOf(0);
    const row = free < 0 ? taken.length : free;
    taken[row] = 1;
    return row % MOST_ROWS;
  }

  private freeRow({ tool, row }: Call): void {
    const taken = this.rows.get(tool);
    if (taken !== undefined) taken[row] = 0;
  }
}
