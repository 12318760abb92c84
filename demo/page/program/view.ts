/** The Program view: declarations and a program at the left, the run and the Tools at the right. */
import type { ToolEntry } from "flow-host";
import type { Setup } from "../../runner/messages.ts";
import { announce } from "../clipboard.ts";
import { button, el } from "../dom.ts";
import { Files } from "../editor/files.ts";
import { whenIdle } from "../idle.ts";
import { shortName } from "../notation.ts";
import { outcomeMark } from "../outcome.ts";
import { panes } from "../panes.ts";
import type { MountedView, ViewContext } from "../shell.ts";
import { type FormState, formState, stateOf, textsIn } from "./address.ts";
import { ComponentList, type Dropped } from "./component-list.ts";
import { faultSentence } from "./detail.ts";
import { FaultList } from "./fault-list.ts";
import { takeDrops } from "./file-drops.ts";
import { javascriptOf } from "./javascript.ts";
import { RunModel } from "./model.ts";
import { unpack } from "./packed.ts";
import { Caller } from "./page-caller.ts";
import { type Bound, carriesCode, filesOf, NEW_FUNCTION, type Project, SAMPLE, withChanges, withComponent } from "./project.ts";
import { marksOf, type Reading, readProject } from "./reading.ts";
import { RunPanel, saveHistory } from "./run-panel.ts";
import { RunnerClient } from "./runner-client.ts";
import { Runs } from "./runs.ts";
import { boundOf, faultsOf, setupOf } from "./setup.ts";
import { ToolList } from "./tool-list.ts";

const PROGRAM = "program.ts";
/** Keys that come within one frame are read together: a fault is underlined within 50 ms of the key that made it. */
const PAUSE_MS = 16;
/** What the sample's component answers. */
const COMPONENT = "search.find";

export class ProgramView implements MountedView {
  readonly element: HTMLElement;
  private readonly context: ViewContext;
  private readonly client = new RunnerClient();
  private readonly files: Files;
  private readonly faults: FaultList;
  private readonly panel: RunPanel;
  private readonly runs: Runs;
  private readonly list: ToolList;
  private readonly components: ComponentList;
  private project: Project = SAMPLE;
  private reading: Reading | undefined;
  private readings = 0;
  private isRefused = false;
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private form: FormState = [];
  private opened: Promise<void>;

  constructor(context: ViewContext) {
    this.context = context;
    this.client.warm();
    this.files = new Files({
      label: "Text of",
      files: filesOf(SAMPLE, PROGRAM),
      canAdd: true,
      onChange: (name, text) => this.edited(name, text),
    });
    this.faults = new FaultList((file, mark) => this.files.focus(file, mark));
    this.panel = new RunPanel({
      run: () => void this.start(),
      cancel: () => this.runs.cancel(),
      replay: () => void this.runs.replay(),
      fork: (call, args) => void this.runs.fork(call, args),
      save: () => saveHistory(this.runs.history),
      open: (text) => void this.runs.open(text),
      selected: () => {},
      entryOf: (tool) => this.entryOf(tool),
    });
    this.runs = new Runs({
      client: this.client,
      panel: this.panel,
      setup: () => this.setup(),
      program: () => javascriptOf(PROGRAM, this.project.program),
      tools: () => this.entries.map(({ tool }) => tool),
      faults: () => faultsOf(this.entries, this.project),
    });
    this.components = new ComponentList({ client: this.client, onAdded: (added, replaced) => this.added(added, replaced) });
    this.list = new ToolList({
      components: this.components.element,
      caller: new Caller(this.client, (tool) => this.setup(tool)),
      hasComponent: (name) => name === COMPONENT,
      onBound: (name, bound) => this.bind(name, bound),
      onEdit: (name) => this.editFunction(name),
      onForm: (entry, texts) => {
        this.form = formState(entry.tool, texts);
        void this.keep();
      },
    });
    const left = el(
      "section",
      { class: "pane code-pane", "aria-labelledby": "code-title" },
      el("h2", { id: "code-title", class: "spoken" }, "Declarations and program"),
      this.files.element,
      this.faults.element,
    );
    // Scrolls by itself, and so can be reached and scrolled by keyboard.
    const right = el(
      "section",
      { class: "pane", "aria-label": "The run and the Tools", tabindex: 0 },
      this.panel.element,
      this.list.element,
    );
    this.element = panes(left, right, { name: "program", split: 45 });
    takeDrops(this.element, (files) => this.takeFiles(files));
    this.panel.begin(new RunModel([]), "The sample program runs…");
    this.opened = this.read();
    // The editor comes after the first run, or as soon as somebody wants to type.
    this.files.element.addEventListener("focusin", () => void this.files.enhance(), { once: true });
  }

  show(parameters: URLSearchParams): void {
    this.opened = this.opened.then(() => this.open(parameters));
  }

  private async open(parameters: URLSearchParams): Promise<void> {
    const word = parameters.get("p");
    const isFirst = !this.runs.hasBegun;
    if (word !== null || parameters.has("tool")) {
      const changes = word === null ? undefined : await unpack(word);
      if (word !== null && changes === undefined) announce("The link is damaged: it was cut short or is no link of this page.");
      const project = withChanges(changes);
      if (JSON.stringify(project) !== JSON.stringify(this.project)) await this.take(project);
      this.openForm(parameters);
    } else if (!isFirst) return this.keep();
    if (!isFirst && word === null) return;
    // A link must not act: what it carries is read first, and run by whoever has read it.
    if (carriesCode(this.project)) {
      const waits = "This link carries code. Read it at the left, then press Run.";
      this.panel.begin(new RunModel([]), waits);
      this.panel.end({ status: "done", result: "" }, false, waits);
      this.enhance();
      return;
    }
    // Not awaited: a program may take its time, and another link can be followed meanwhile.
    void this.start().then(() => this.enhance());
  }

  private enhance(): void {
    // After everything that the first view needs.
    whenIdle(() => void this.files.enhance(), 2_000);
  }

  private openForm(parameters: URLSearchParams): void {
    const tool = parameters.get("tool");
    if (tool === null) return;
    const texts = textsIn(parameters);
    this.form = formState(tool, texts);
    if (!this.list.fill(tool, texts)) {
      announce(`This link is for ${tool}, which is not among the Tools here.`);
    }
  }

  private async take(project: Project): Promise<void> {
    this.project = project;
    this.files.replace(filesOf(project, PROGRAM));
    await this.read();
  }

  private edited(name: string, text: string): void {
    const { project } = this;
    if (name === PROGRAM) this.project = { ...project, program: text };
    else if (name.endsWith(".flow")) this.project = { ...project, files: { ...project.files, [name]: text } };
    else this.project = { ...project, functions: { ...project.functions, [name.slice(0, -3)]: text } };
    clearTimeout(this.pausing);
    this.pausing = setTimeout(() => {
      if (name.endsWith(".flow")) void this.read();
      void this.keep();
    }, PAUSE_MS);
  }

  /** Reads the declarations. What is refused is marked, and the last Tools stay. */
  private async read(): Promise<void> {
    const turn = ++this.readings;
    const { project } = this;
    const reading = await readProject(project);
    if (turn !== this.readings) return;
    this.isRefused = "diagnostics" in reading;
    if ("diagnostics" in reading) {
      this.files.mark(marksOf(reading.diagnostics, project));
      this.faults.show(reading.diagnostics, project);
      this.list.stale(true);
      return;
    }
    this.reading = reading;
    this.files.mark(new Map());
    this.faults.show([], project);
    this.list.stale(false);
    this.showTools();
  }

  private showTools(): void {
    const { entries } = this;
    this.components.show(entries);
    this.list.show(
      entries,
      (name) => boundOf(this.project, name),
      // One that is bound stays a choice where the declaration has changed under it: a run then says that it does not fit.
      (entry) => {
        const bound = this.components.find(this.componentOf(entry));
        const fitting = this.components.fitting(entry);
        return bound === undefined || fitting.includes(bound) ? fitting : [...fitting, bound];
      },
    );
  }

  private takeFiles(files: readonly File[]): void {
    if (this.element.isConnected) this.components.take(files);
    else announce("Components are dropped on the Program view: open it, and drop the file there.");
  }

  /** A component answers the Tools that it fits from now on, and those that the one before it answered. */
  private added(added: Dropped, replaced: Dropped | undefined): void {
    const answers = (entry: ToolEntry): boolean =>
      this.components.fitting(entry).includes(added) || (replaced !== undefined && this.componentOf(entry) === replaced.id);
    const names = this.entries.filter(answers).map(({ tool }) => shortName(tool));
    this.project = withComponent(this.project, names, added.id);
    this.showTools();
    const [first] = names;
    if (first === undefined) return;
    void this.keep();
    void this.start(first);
  }

  private componentOf({ tool }: ToolEntry): string | undefined {
    return boundOf(this.project, shortName(tool)).component;
  }

  missingFromLink(): string | undefined {
    const bound = new Set(Object.values(this.project.bound).map(({ component }) => component));
    const names = [...bound].flatMap((id) => this.components.find(id)?.name ?? []);
    if (names.length === 0) return undefined;
    return `It cannot carry the dropped ${names.join(" and ")}: whoever opens it has to drop the file too.`;
  }

  private bind(name: string, bound: Bound): void {
    this.project = { ...this.project, bound: { ...this.project.bound, [name]: bound } };
    void this.keep();
    void this.start(name);
  }

  private editFunction(name: string): void {
    const text = this.project.functions[name] ?? NEW_FUNCTION;
    const file = `${name}.ts`;
    if (this.project.functions[name] === undefined) this.edited(file, text);
    this.files.add(file, text);
    this.files.focus(file, { from: 0, to: 0 });
  }

  private entryOf(tool: string): ToolEntry | undefined {
    return this.entries.find((entry) => entry.tool === tool);
  }

  private async setup(only?: string): Promise<Setup> {
    const { reading } = this;
    if (this.isRefused || reading === undefined) throw new Error("the declarations are refused; what is wrong is underlined at the left");
    return setupOf(reading, this.project, only);
  }

  /** @param changed The Tool whose binding was just changed: its first call is the one to look at. */
  private async start(changed?: string): Promise<void> {
    const model = await this.runs.start();
    if (model !== undefined && changed !== undefined) this.explainSwitch(model, changed);
  }

  /** What came of a switch is said beside it, and the call that shows it is selected. */
  private explainSwitch(model: RunModel, name: string): void {
    const own = model.calls.filter(({ tool }) => shortName(tool) === name);
    const call = own.find((each) => faultSentence(each) !== undefined) ?? own[0];
    if (call === undefined || call.tag === undefined) return;
    this.panel.timeline.select(call);
    const why = faultSentence(call);
    if (why === undefined) return;
    const show = button({ class: "link" }, () => this.panel.reveal(), `Show call ${call.call}`);
    this.list.explain(call.tool, outcomeMark(call.tag), " ", why, " ", show);
  }

  private get entries(): readonly ToolEntry[] {
    return this.reading?.program.tools ?? [];
  }

  private async keep(): Promise<void> {
    this.context.setState(await stateOf(this.project, this.form));
  }
}
