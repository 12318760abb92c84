/** Calls one Tool on behalf of a person, through the same runner and bindings that programs use. */
import { codecFor, type Outcome, type ToolEntry } from "flow-host";
import type { OutcomeTag, Reason, RunEvent, Setup } from "../../runner/messages.ts";
import type { RunnerClient } from "./runner-client.ts";

/** What became of a call. */
export type CallReport =
  | {
      readonly kind: "settled";
      readonly outcome: Outcome;
      /** Canonical text of the arguments, and of the outcome. */
      readonly args: string;
      readonly text: string;
      readonly milliseconds: number;
    }
  /** The call was never made; every reason. */
  | { readonly kind: "refused"; readonly errors: readonly Reason[] };

/** Makes the setup of the moment; what it throws is why no call can be made. */
export type SetupOf = (tool: string) => Promise<Setup>;

export class Caller {
  private readonly client: RunnerClient;
  private readonly setup: SetupOf;

  constructor(client: RunnerClient, setup: SetupOf) {
    this.client = client;
    this.setup = setup;
  }

  /** @param args JSON text of the arguments by parameter name */
  async call(entry: ToolEntry, args: string): Promise<CallReport> {
    const events: RunEvent[] = [];
    try {
      const setup = await this.setup(entry.tool);
      const { run, ended } = this.client.start({ kind: "call", setup, tool: entry.tool, args }, { events: (more) => events.push(...more) });
      const { ending } = await ended;
      this.client.forget(run);
      if (ending.status === "refused" || ending.status === "threw") return { kind: "refused", errors: ending.reasons };
    } catch (caught) {
      return { kind: "refused", errors: [{ code: "error", message: (caught as Error).message }] };
    }
    return reportOf(entry, events);
  }
}

function reportOf({ spec: { ok, err, declarations } }: ToolEntry, events: readonly RunEvent[]): CallReport {
  const sent = events.find((event) => event.kind === "call");
  const settled = events.find((event) => event.kind === "settle");
  if (sent === undefined || settled === undefined)
    return { kind: "refused", errors: [{ code: "error", message: "the call was not made" }] };
  const { tag, text } = settled;
  const content = text.slice(text.indexOf(":") + 1, -1);
  const value = hasValue(tag)
    ? codecFor(tag === "Ok" ? ok : err, declarations).decode(content, { grant: "all" })
    : (JSON.parse(content) as string);
  return { kind: "settled", outcome: { tag, value } as Outcome, args: sent.args, text, milliseconds: settled.at - sent.at };
}

function hasValue(tag: OutcomeTag): boolean {
  return tag === "Ok" || tag === "Failed";
}
