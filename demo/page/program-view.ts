/** The Program view: the sample's transcript at the left, its Tools at the right. */
import { type Binding, isFlowError, type ToolEntry, type ToolsDocument } from "flow-host";
import { ACCOUNT, AMOUNT, runSample, sampleBindings, sampleTools } from "../sample/index.ts";
import { refusals, type TranscriptLine } from "../sample/transcript.ts";
import type { Texts } from "./call-form.ts";
import { Caller } from "./caller.ts";
import { announce } from "./clipboard.ts";
import { coreModule } from "./core-module.ts";
import { el } from "./dom.ts";
import { panes } from "./panes.ts";
import type { MountedView, View, ViewContext } from "./shell.ts";
import { ToolCard } from "./tool-card.ts";
import { TranscriptView } from "./transcript.ts";

/** Arguments of the sample that show more than those made from the types would. */
const EXAMPLES: Readonly<Record<string, Texts>> = {
  find: { query: '"tool"' },
  read: { id: '"outcome"' },
  post: { posting: `{"account": ${ACCOUNT}, "amount": ${AMOUNT}, "note": "rent"}` },
};

/** What a binding is, by its title. */
const BOUND: Readonly<Record<string, string>> = {
  function: "a function in this page",
  component: "a WebAssembly component without imports",
};

/** Parameters of a Tool stand in the address under this prefix, apart from the page's own. */
const ARGUMENT = "arg.";

export const programView: View = {
  id: "program",
  title: "Program",
  create: async (context) => {
    const tools = await sampleTools();
    return new ProgramView(tools, sampleBindings(tools, coreModule), context);
  },
};

class ProgramView implements MountedView {
  readonly element: HTMLElement;
  private readonly transcript: TranscriptView;
  private readonly cards: ReadonlyMap<string, ToolCard>;
  private running = false;

  constructor(tools: ToolsDocument, bindings: ReadonlyMap<string, Binding>, context: ViewContext) {
    const caller = new Caller(tools, bindings);
    this.transcript = new TranscriptView(() => void this.run());
    this.cards = new Map(
      tools.tools.map((entry) => {
        const title = bindings.get(entry.tool)?.title ?? "";
        const card = new ToolCard({
          entry,
          caller,
          bound: BOUND[title] ?? title,
          examples: EXAMPLES[entry.tool.slice(entry.tool.lastIndexOf(".") + 1)] ?? {},
          onChange: (texts) => context.setState(stateOf(entry, texts)),
        });
        return [entry.tool, card];
      }),
    );
    const list = el(
      "section",
      { class: "pane", "aria-labelledby": "tools-title" },
      el("header", {}, el("h2", { id: "tools-title" }, "Tools"), el("span", { class: "note" }, `${this.cards.size} declared, all bound`)),
      el("p", { class: "seen" }, "Try next: post to the ledger with a number of your own, or leave a member out."),
      [...this.cards.values()].map(({ element }) => element),
    );
    this.element = panes(this.transcript.element, list, { name: "program", split: 52 });
    void this.run();
  }

  show(parameters: URLSearchParams): void {
    const tool = parameters.get("tool");
    if (tool === null) return;
    const card = this.cards.get(tool);
    if (card === undefined) {
      announce(`This link is for ${tool}, which is not among the Tools here.`);
      return;
    }
    const texts = [...parameters].filter(([name]) => name.startsWith(ARGUMENT)).map(([name, text]) => [name.slice(ARGUMENT.length), text]);
    card.form?.fill(Object.fromEntries(texts) as Texts);
    card.reveal();
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.transcript.start();
    try {
      await runSample(coreModule, this.transcript.print);
      this.transcript.end(true);
    } catch (caught) {
      for (const line of reasons(caught)) this.transcript.print(line);
      this.transcript.end(false);
    } finally {
      this.running = false;
    }
  }
}

/** Why the sample could not run, as the transcript shows what was refused. */
function reasons(caught: unknown): readonly TranscriptLine[] {
  return isFlowError(caught) ? refusals(caught) : [{ kind: "refusal", call: "", word: "error", text: String(caught) }];
}

function stateOf({ tool }: ToolEntry, texts: Texts): URLSearchParams {
  const filled = Object.entries(texts).filter(([, text]) => text !== "");
  return new URLSearchParams([["tool", tool], ...filled.map(([name, text]) => [`${ARGUMENT}${name}`, text])]);
}
