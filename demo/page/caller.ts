/** Calls one Tool on behalf of a person, over a host of its own. */
import {
  type Binding,
  createHost,
  type FlowError,
  type Host,
  isFlowError,
  type Outcome,
  type ToolEntry,
  type ToolsDocument,
} from "flow-host";

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
  | { readonly kind: "refused"; readonly errors: readonly FlowError[] };

interface Watched {
  args: string;
  text: string;
  sent: number;
  settled: number;
}

export class Caller {
  private readonly tools: ToolsDocument;
  private readonly host: Host;
  private readonly watched = new Map<string, Watched>();
  private count = 0;

  constructor(tools: ToolsDocument, bindings: ReadonlyMap<string, Binding>) {
    this.tools = tools;
    this.host = createHost({
      bindings,
      onCall: ({ run, args, at }) => Object.assign(this.watched.get(run) ?? {}, { args, sent: at }),
      onSettle: ({ run, text, at }) => Object.assign(this.watched.get(run) ?? {}, { text: text(), settled: at }),
    });
  }

  /** A run of one call, of a program that can reach nothing but this Tool. */
  async call(entry: ToolEntry, values: Readonly<Record<string, unknown>>): Promise<CallReport> {
    // An id of the page's own making: crypto.randomUUID is missing on plain http: pages.
    const run = `page-${++this.count}`;
    const watched: Watched = { args: "", text: "", sent: 0, settled: 0 };
    this.watched.set(run, watched);
    try {
      const { result } = await this.host.start({
        run,
        program: { tools: { ...this.tools, tools: [entry] }, run: (calls) => calls.call(entry.tool, values) },
      });
      const outcome = (await result) as Outcome;
      const { args, text, sent, settled } = watched;
      return { kind: "settled", outcome, args, text, milliseconds: settled - sent };
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      return { kind: "refused", errors: caught.errors.length > 0 ? caught.errors : [caught] };
    } finally {
      this.watched.delete(run);
    }
  }
}
