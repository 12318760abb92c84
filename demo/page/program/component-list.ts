/** Components that were dropped on the page: which Tools each answers, or why it answers none. */
import { type Description, isFlowError, parseJson, readDescription, requireFit, type ToolEntry } from "flow-host";
import { DEEP } from "../../runner/described.ts";
import { button, type Child, el } from "../dom.ts";
import { shortName } from "../notation.ts";
import { keepTranspiler } from "../offline.ts";
import { type RunnerClient, Undescribed } from "./runner-client.ts";
import { NotTaken, transpileFile } from "./transpiler-client.ts";

export interface Dropped {
  readonly id: string;
  /** The file's name. */
  readonly name: string;
  readonly description: Description;
}

export interface ComponentListOptions {
  readonly client: RunnerClient;
  /** @param replaced The one that was here under the same name. */
  readonly onAdded: (added: Dropped, replaced: Dropped | undefined) => void;
}

/** So many characters of a fingerprint tell two apart. */
const SHORT = 19;

export class ComponentList {
  readonly element: HTMLElement;
  private readonly options: ComponentListOptions;
  private readonly busy = el("p", { class: "running", role: "status" });
  private readonly refusals = el("div", { class: "component-refusals", role: "alert" });
  private readonly items = el("ul", { class: "components" });
  private dropped: readonly Dropped[] = [];
  private entries: readonly ToolEntry[] = [];
  private count = 0;
  private taking: Promise<void> = Promise.resolve();

  constructor(options: ComponentListOptions) {
    this.options = options;
    const file = el("input", {
      type: "file",
      accept: ".wasm,application/wasm",
      multiple: true,
      class: "spoken component-file",
      tabindex: -1,
      "aria-hidden": "true",
    });
    file.addEventListener("change", () => {
      this.take([...(file.files ?? [])]);
      file.value = "";
    });
    this.element = el(
      "div",
      { class: "component-list" },
      el(
        "p",
        { class: "add-component" },
        button({}, () => file.click(), "Add a component"),
        file,
        el("span", { class: "note" }, "or drop a .wasm file on the page. It stays on this page."),
      ),
      this.busy,
      this.refusals,
      this.items,
    );
  }

  /** Takes files one after the other, and says of each what came of it. */
  take(files: readonly File[]): void {
    this.taking = this.taking.then(async () => {
      this.refusals.replaceChildren();
      for (const file of files) await this.takeOne(file);
    });
  }

  /** The declarations are these now. */
  show(entries: readonly ToolEntry[]): void {
    this.entries = entries;
    this.items.replaceChildren(...this.dropped.map((each) => this.item(each)));
  }

  /** Those that fit a declaration. */
  fitting({ tool, fingerprint }: ToolEntry): readonly Dropped[] {
    return this.dropped.filter(({ description }) => whyNot(description, tool, fingerprint) === undefined);
  }

  find(id: string | undefined): Dropped | undefined {
    return this.dropped.find((each) => each.id === id);
  }

  private async takeOne(file: File): Promise<void> {
    const { name } = file;
    this.busy.textContent = `${name} is read and transpiled…`;
    try {
      const id = `${++this.count}`;
      const transpiled = await transpileFile(file);
      keepTranspiler();
      const text = await this.options.client.add({ id, name, ...transpiled });
      const added = { id, name, description: readDescription(parseJson(text, DEEP)) };
      const replaced = this.dropped.find((each) => each.name === name);
      this.dropped = [...this.dropped.filter((each) => each !== replaced), added];
      this.show(this.entries);
      this.options.onAdded(added, replaced);
    } catch (caught) {
      this.refusals.append(el("p", {}, el("b", {}, name), " was not taken. ", sentenceOf(caught)));
    } finally {
      this.busy.textContent = "";
    }
  }

  private item({ name, description }: Dropped): HTMLElement {
    const answers = this.entries.filter(({ tool, fingerprint }) => whyNot(description, tool, fingerprint) === undefined);
    const others = this.entries.filter((entry) => !answers.includes(entry));
    const misfits = others.flatMap(({ tool, fingerprint }) => {
      const why = whyNot(description, tool, fingerprint);
      return why?.code === "fingerprint" ? [el("p", {}, el("code", { class: "code" }, why.code), " ", why.sentence)] : [];
    });
    const said: Child =
      answers.length > 0
        ? el("span", {}, "fits ", answers.map(({ tool }) => shortName(tool)).join(", "))
        : misfits.length > 0
          ? el("span", {}, "fits no Tool here")
          : el("span", {}, el("code", { class: "code" }, "not-served"), " ", servesOthers(description));
    return el("li", {}, el("b", {}, name), " ", said, misfits);
  }
}

interface Misfit {
  readonly code: string;
  readonly sentence: string;
}

function whyNot(description: Description, tool: string, fingerprint: string): Misfit | undefined {
  try {
    requireFit(description, tool, fingerprint);
    return undefined;
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    const served = description.tools.find((each) => shortName(each.tool) === shortName(tool))?.fingerprint ?? "";
    return {
      code: caught.code,
      sentence: `${shortName(tool)} is declared otherwise here: the component was made for ${served.slice(0, SHORT)}…, the declaration has ${fingerprint.slice(0, SHORT)}…`,
    };
  }
}

function servesOthers({ tools }: Description): string {
  if (tools.length === 0) return "It serves no Tool at all.";
  return `It serves ${tools.map(({ tool }) => tool).join(", ")}, and no file here declares that.`;
}

function sentenceOf(caught: unknown): Child {
  if (caught instanceof NotTaken) return caught.message;
  const code = caught instanceof Undescribed ? caught.reason.code : isFlowError(caught) ? caught.code : "error";
  const message = (caught as Error).message;
  return [el("code", { class: "code" }, code), ` ${message.charAt(0).toUpperCase()}${message.slice(1)}.`];
}
