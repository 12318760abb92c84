/** Files in tabs over one editor. Until the editor has come, the file stands in a text area of the same letters. */
import { button, el } from "../dom.ts";
import type { Editor, Mark } from "./editor.ts";

export interface FilesOptions {
  readonly label: string;
  readonly files: readonly (readonly [name: string, text: string])[];
  readonly onChange: (name: string, text: string) => void;
  /** Whether somebody may add a Flow file. */
  readonly canAdd: boolean;
}

let count = 0;

export class Files {
  readonly element: HTMLElement;
  private readonly options: FilesOptions;
  private readonly texts: Map<string, string>;
  private readonly marks = new Map<string, readonly Mark[]>();
  private readonly tabs = el("div", { class: "file-tabs", role: "tablist" });
  private readonly holder: HTMLElement;
  private readonly area = el("textarea", { class: "plain-editor", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  private readonly id = `files-${++count}`;
  private editor: Editor | undefined;
  private enhancing: Promise<void> | undefined;
  private shown: string;

  constructor(options: FilesOptions) {
    this.options = options;
    this.texts = new Map(options.files);
    this.shown = options.files[0]?.[0] ?? "";
    this.tabs.setAttribute("aria-label", options.label);
    this.area.addEventListener("input", () => this.edited(this.area.value));
    this.holder = el("div", { class: "file", role: "tabpanel", id: this.id }, this.area);
    this.element = el("div", { class: "files" }, this.tabs, this.holder);
    this.tabs.addEventListener("keydown", (event) => this.key(event));
    this.draw();
    this.open(this.shown);
  }

  get openFile(): string {
    return this.shown;
  }

  /** Loads the editor in place of the text area. */
  enhance(): Promise<void> {
    this.enhancing ??= this.load();
    return this.enhancing;
  }

  private async load(): Promise<void> {
    const { Editor } = await import("./editor.ts");
    const hadFocus = document.activeElement === this.area;
    const place = { from: this.area.selectionStart, to: this.area.selectionEnd };
    const parent = el("div", { class: "code-editor" });
    this.holder.replaceChildren(parent);
    this.editor = new Editor({ parent, label: this.options.label, onChange: (text) => this.edited(text) });
    this.open(this.shown);
    if (hadFocus) this.editor.focus(place);
  }

  /** Takes over texts from outside, such as those of a link. */
  replace(files: readonly (readonly [name: string, text: string])[]): void {
    this.texts.clear();
    for (const [name, text] of files) this.texts.set(name, text);
    if (!this.texts.has(this.shown)) this.shown = files[0]?.[0] ?? "";
    this.draw();
    this.open(this.shown);
  }

  /** Adds a file, or only opens it where there is one of that name. */
  add(name: string, text: string): void {
    if (!this.texts.has(name)) this.texts.set(name, text);
    this.draw();
    this.open(name);
  }

  open(name: string): void {
    const text = this.texts.get(name);
    if (text === undefined) return;
    this.shown = name;
    for (const tab of this.tabs.querySelectorAll<HTMLElement>("[role=tab]")) {
      const isShown = tab.dataset["file"] === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    this.holder.setAttribute("aria-label", name);
    if (this.editor !== undefined) {
      this.editor.show(name, text);
      this.editor.mark(this.marks.get(name) ?? []);
    } else {
      this.area.value = text;
      this.area.setAttribute("aria-label", `${this.options.label} ${name}`);
    }
  }

  /** Underlines places, by file; files that are not named have none. */
  mark(marks: ReadonlyMap<string, readonly Mark[]>): void {
    this.marks.clear();
    for (const [name, list] of marks) this.marks.set(name, list);
    this.editor?.mark(this.marks.get(this.shown) ?? []);
    for (const tab of this.tabs.querySelectorAll<HTMLElement>("[role=tab]")) {
      tab.classList.toggle("faulty", this.marks.has(tab.dataset["file"] ?? ""));
    }
  }

  focus(name: string, range: { readonly from: number; readonly to: number }): void {
    this.open(name);
    if (this.editor !== undefined) this.editor.focus(range);
    else {
      this.area.focus();
      this.area.setSelectionRange(range.from, range.to);
    }
  }

  private draw(): void {
    const tabs = [...this.texts.keys()].map((name) =>
      button({ role: "tab", "data-file": name, "aria-controls": this.id, tabindex: -1 }, () => this.open(name), name),
    );
    this.tabs.replaceChildren(...tabs);
    if (!this.options.canAdd) return;
    this.element.querySelector(".add-file")?.remove();
    const add = button({ class: "link add-file" }, () => this.addNew(), "New Flow file");
    this.holder.before(add);
  }

  private addNew(): void {
    let number = 1;
    while (this.texts.has(`new${number}.flow`)) number++;
    const name = `new${number}.flow`;
    const text = "/// What it does.\n@tool pub flow answer(question: Text) -> Result<Text, Text>\n";
    this.add(name, text);
    this.options.onChange(name, text);
  }

  private edited(text: string): void {
    this.texts.set(this.shown, text);
    this.options.onChange(this.shown, text);
  }

  private key(event: KeyboardEvent): void {
    const names = [...this.texts.keys()];
    const now = names.indexOf(this.shown);
    const targets: Readonly<Record<string, number>> = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: names.length - 1 };
    const target = targets[event.key];
    const name = target === undefined ? undefined : names[(target + names.length) % names.length];
    if (name === undefined) return;
    event.preventDefault();
    this.open(name);
    this.tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }
}
