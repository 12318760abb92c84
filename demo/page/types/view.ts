/** The Types view: declarations as a graph, and which fingerprints a change to them moves, and why. */
import type { ReadProgram } from "flow-host/declarations";
import { announce } from "../clipboard.ts";
import { button, type Child, el, spoken } from "../dom.ts";
import { Files } from "../editor/files.ts";
import { toolName } from "../notation.ts";
import { panes } from "../panes.ts";
import { FaultList } from "../program/fault-list.ts";
import { pack, unpack } from "../program/packed.ts";
import { type Project, SAMPLE } from "../program/project.ts";
import { marksOf, readProject } from "../program/reading.ts";
import type { MountedView, ViewContext } from "../shell.ts";
import { GraphView } from "./graph-view.ts";
import { type GraphNode, graphOf, type Moved, movedFingerprints } from "./model.ts";

const PAUSE_MS = 16;

/** A change to try: it moves one Tool's fingerprint and leaves the others. */
const CHANGE = { file: "document.flow", from: "pub body: Text,", to: "pub body: Text,\n    pub pages: Option<Int>," };

export class TypesView implements MountedView {
  readonly element: HTMLElement;
  private readonly context: ViewContext;
  private readonly files: Files;
  private readonly faults: FaultList;
  private readonly graph: GraphView;
  private readonly moves = el("div", { class: "moves" });
  private readonly words = el("p", { class: "seen", role: "status" });
  private readonly detail = el("div", { class: "node-detail", "aria-live": "polite" });
  private project: Project = SAMPLE;
  /** What fingerprints are held against. */
  private base: ReadProgram | undefined;
  private now: ReadProgram | undefined;
  private turn = 0;
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private opened: Promise<void>;

  constructor(context: ViewContext) {
    this.context = context;
    this.files = new Files({
      label: "Text of",
      files: Object.entries(SAMPLE.files),
      canAdd: true,
      onChange: (name, text) => this.edited(name, text),
    });
    this.faults = new FaultList((file, mark) => this.files.focus(file, mark));
    this.graph = new GraphView((node) => this.showNode(node));
    const left = el("section", { class: "pane code-pane", "aria-label": "Declarations" }, this.files.element, this.faults.element);
    const right = el(
      "section",
      { class: "pane", "aria-labelledby": "types-title", tabindex: 0 },
      el("h2", { id: "types-title", class: "spoken" }, "Graph and fingerprints"),
      el(
        "div",
        { class: "actions", role: "toolbar", "aria-label": "Changes" },
        button({}, () => this.tryChange(), "Try a change"),
        button({}, () => this.rebase(), "Compare with what is there now"),
        button({}, () => void this.take(SAMPLE.files), "Reset"),
      ),
      this.words,
      this.graph.element,
      this.detail,
      this.moves,
    );
    this.element = panes(left, right, { name: "types", split: 36 });
    this.opened = this.start();
    void this.files.enhance();
  }

  show(parameters: URLSearchParams): void {
    this.opened = this.opened.then(async () => {
      const word = parameters.get("p");
      if (word === null) return this.keep();
      const changes = await unpack(word);
      if (typeof changes !== "object" || changes === null) {
        announce("The link is damaged: it was cut short or is no link of this page.");
        return;
      }
      await this.take({ ...SAMPLE.files, ...(changes as Project["files"]) });
    });
  }

  private async start(): Promise<void> {
    const reading = await readProject(SAMPLE);
    if ("program" in reading) this.base = reading.program;
    await this.read();
  }

  private async take(files: Project["files"]): Promise<void> {
    this.project = { ...SAMPLE, files };
    this.files.replace(Object.entries(files));
    await this.keep();
    await this.read();
  }

  private tryChange(): void {
    const text = this.project.files[CHANGE.file] ?? "";
    if (!text.includes(CHANGE.from) || text.includes(CHANGE.to)) {
      announce("Reset first: that file has been changed already.");
      return;
    }
    void this.take({ ...this.project.files, [CHANGE.file]: text.replace(CHANGE.from, CHANGE.to) }).then(() => this.files.open(CHANGE.file));
  }

  private rebase(): void {
    this.base = this.now;
    void this.read();
  }

  private edited(name: string, text: string): void {
    this.project = { ...this.project, files: { ...this.project.files, [name]: text } };
    clearTimeout(this.pausing);
    this.pausing = setTimeout(() => {
      void this.keep();
      void this.read();
    }, PAUSE_MS);
  }

  private async read(): Promise<void> {
    const turn = ++this.turn;
    const { project } = this;
    const reading = await readProject(project);
    if (turn !== this.turn) return;
    if ("diagnostics" in reading) {
      this.files.mark(marksOf(reading.diagnostics, project));
      this.faults.show(reading.diagnostics, project);
      this.words.replaceChildren("The graph is that of the last declarations without a fault.");
      return;
    }
    this.now = reading.program;
    this.files.mark(new Map());
    this.faults.show([], project);
    const moved = this.base === undefined ? [] : movedFingerprints(this.base, reading.program);
    this.graph.show(graphOf(reading.program), new Set(moved.map(({ tool }) => tool)));
    this.words.replaceChildren(inWords(moved.length, reading.program.tools.length));
    this.moves.replaceChildren(...moved.map(moveItem));
  }

  private showNode({ title, kind, doc, lines, id }: GraphNode): void {
    const entry = this.now?.tools.find(({ tool }) => tool === id);
    this.detail.replaceChildren(
      el("h3", {}, title, " ", el("span", { class: "note" }, kind === "tool" ? "Tool" : kind)),
      doc === null || doc === "" ? "" : el("p", { class: "doc" }, doc),
      el("p", {}, el("code", {}, id)),
      el("pre", {}, lines.join("\n")),
      entry === undefined ? "" : el("p", {}, el("code", {}, entry.fingerprint)),
    );
  }

  private async keep(): Promise<void> {
    const changed = Object.entries(this.project.files).filter(([name, text]) => SAMPLE.files[name] !== text);
    const state = changed.length === 0 ? {} : { p: await pack(Object.fromEntries(changed)) };
    this.context.setState(new URLSearchParams(state));
  }
}

function inWords(moved: number, all: number): string {
  if (moved === 0) return `No fingerprint of ${all} has moved. Change a declaration, or let one be changed.`;
  return `${moved} of ${all} fingerprints ${moved === 1 ? "has" : "have"} moved: what was built for the old ones does not fit any more.`;
}

function moveItem({ tool, before, after, why, signatureBefore, signatureAfter }: Moved): HTMLElement {
  const { file, name } = toolName(tool);
  return el(
    "article",
    { class: "move", "aria-label": `${file}.${name}` },
    el("h3", {}, el("span", { class: "file" }, `${file}.`), name),
    el("p", { class: "prints" }, print("before", before), " → ", print("after", after)),
    el(
      "ul",
      { class: "why-moved" },
      why.map((place) => el("li", {}, place)),
    ),
    el(
      "details",
      {},
      el("summary", {}, "The signature before and after", spoken(`, of ${file}.${name}`)),
      el("div", { class: "signatures" }, lined("before", signatureBefore, signatureAfter), lined("after", signatureAfter, signatureBefore)),
    ),
  );
}

function print(word: string, fingerprint: string | undefined): Child {
  return fingerprint === undefined
    ? el("span", { class: "note" }, "none")
    : [spoken(`${word} `), el("code", {}, `${fingerprint.slice(0, 19)}…`)];
}

/** A signature, line by line, with the lines that the other one does not have marked. */
function lined(word: string, text: string, other: string): HTMLElement {
  const others = new Map<string, number>();
  for (const line of other.split("\n")) others.set(line, (others.get(line) ?? 0) + 1);
  const lines = text.split("\n").map((line) => {
    const left = others.get(line) ?? 0;
    others.set(line, left - 1);
    return left > 0 ? `${line}\n` : el(word === "before" ? "del" : "ins", {}, `${line}\n`);
  });
  return el("div", {}, el("h4", {}, word === "before" ? "Before" : "After"), el("pre", {}, lines));
}
