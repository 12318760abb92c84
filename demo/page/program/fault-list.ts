/** What is refused of the declarations, below the editor: a code, a sentence, and a way to the place. */
import type { Diagnostic } from "flow-host/declarations";
import { button, el, spoken } from "../dom.ts";
import type { Mark } from "../editor/editor.ts";
import { fileOf, type Project } from "./project.ts";
import { markOf } from "./reading.ts";

/** More are counted: nobody mends a hundred at once. */
const MOST = 20;

export class FaultList {
  readonly element = el("div", { class: "fault-list", role: "status" });
  private readonly onShow: (file: string, mark: Mark) => void;

  constructor(onShow: (file: string, mark: Mark) => void) {
    this.onShow = onShow;
  }

  show(diagnostics: readonly Diagnostic[], { files }: Project): void {
    const rest = diagnostics.length - MOST;
    this.element.replaceChildren(
      ...diagnostics.slice(0, MOST).map((diagnostic) => this.item(diagnostic, files)),
      ...(rest > 0 ? [el("p", {}, `and ${rest} more`)] : []),
    );
  }

  private item(diagnostic: Diagnostic, files: Project["files"]): HTMLElement {
    const { code, line, column, message } = diagnostic;
    const file = fileOf(diagnostic.file);
    const text = files[file];
    const place = `${file}, line ${line}, column ${column}`;
    return el(
      "p",
      { class: "fault" },
      el("code", { class: "code" }, code),
      ` ${message.charAt(0).toUpperCase()}${message.slice(1)}. `,
      text === undefined
        ? null
        : button({ class: "link" }, () => this.onShow(file, markOf(diagnostic, text)), spoken("Show the place: "), place),
    );
  }
}
