/** The right pane's upper part: the buttons, the timeline, one line that says what was seen, and the call that is selected. */
import type { ToolEntry } from "flow-host";
import type { Ending, Reason } from "../../runner/messages.ts";
import { button, type Child, el } from "../dom.ts";
import { longText } from "../long-text.ts";
import { OUTCOME_TAGS, outcomeMark, refusedMark, whyAll } from "../outcome.ts";
import { callDetail } from "./detail.ts";
import { type Call, RunModel } from "./model.ts";
import { Timeline } from "./timeline.ts";

export interface RunActions {
  run(): void;
  cancel(): void;
  replay(): void;
  fork(call: Call, args: string | undefined): void;
  save(): void;
  open(text: string): void;
  selected(call: Call): void;
  entryOf(tool: string): ToolEntry | undefined;
}

export class RunPanel {
  readonly element: HTMLElement;
  readonly timeline: Timeline;
  private model = new RunModel([]);
  private canFork = false;
  private readonly actions: RunActions;
  private readonly buttons: Readonly<Record<"run" | "cancel" | "replay" | "save" | "open", HTMLButtonElement>>;
  private readonly seen = el("p", { class: "seen", role: "status" });
  private readonly notes = el("div", { class: "run-notes" });
  private readonly detail = el("div", { class: "detail-holder", "aria-live": "polite" });
  private shownCall: Call | undefined;

  constructor(actions: RunActions) {
    this.actions = actions;
    this.timeline = new Timeline(this.model, (call) => {
      this.show(call);
      actions.selected(call);
    });
    const file = el("input", {
      type: "file",
      accept: ".jsonl,application/jsonl,text/plain",
      class: "spoken history-file",
      tabindex: -1,
      "aria-hidden": "true",
    });
    file.addEventListener("change", async () => {
      const [picked] = file.files ?? [];
      if (picked !== undefined) actions.open(await picked.text());
      file.value = "";
    });
    this.buttons = {
      run: button({ class: "primary" }, () => this.press("run", actions.run), "Run"),
      cancel: button({ "aria-disabled": "true" }, () => this.press("cancel", actions.cancel), "Cancel"),
      replay: button({ "aria-disabled": "true" }, () => this.press("replay", actions.replay), "Replay"),
      save: button({ "aria-disabled": "true" }, () => this.press("save", actions.save), "Save history"),
      open: button({}, () => file.click(), "Open history"),
    };
    this.element = el(
      "section",
      { class: "run-panel", "aria-labelledby": "run-title" },
      el("h2", { id: "run-title", class: "spoken" }, "Run"),
      el("div", { class: "actions", role: "toolbar", "aria-label": "The run" }, Object.values(this.buttons), file),
      this.seen,
      this.timeline.element,
      this.notes,
      this.detail,
      whyAll(),
    );
  }

  /** Begins to show a run. @param doing what it does, for the line of what is seen */
  begin(model: RunModel, doing: string): void {
    this.model = model;
    model.closed = false;
    this.canFork = false;
    this.shownCall = undefined;
    this.timeline.show(model);
    this.detail.replaceChildren(el("p", { class: "note" }, "Select a call on the timeline, or step through them with the arrow keys."));
    this.notes.replaceChildren();
    this.seen.replaceChildren(el("span", { class: "running" }, doing));
    this.enable({ run: false, cancel: true, replay: false, save: false });
  }

  /** Something has happened to the run that is shown. */
  update(): void {
    this.timeline.draw();
    this.timeline.announce();
    const { shownCall } = this;
    // The call that is looked at may have settled, or had a late reply dropped.
    if (shownCall !== undefined && this.model.calls.includes(shownCall)) this.show(shownCall);
    if (this.buttons.cancel.getAttribute("aria-disabled") === "true") this.count();
  }

  end(ending: Ending, hasHistory: boolean, next: Child): void {
    this.canFork = hasHistory;
    this.model.closed = true;
    this.enable({ run: true, cancel: false, replay: hasHistory, save: hasHistory });
    this.count();
    this.notes.replaceChildren(...endingNotes(ending), ...(next === null ? [] : [el("p", { class: "next" }, next)]));
    const { shownCall } = this;
    if (shownCall !== undefined) this.show(shownCall);
    this.timeline.draw();
    this.timeline.announce();
  }

  /** Goes to the timeline. */
  reveal(): void {
    this.element.scrollIntoView({ block: "start" });
    this.timeline.focus();
  }

  private count(): void {
    const counts = this.model.counts();
    const marks = OUTCOME_TAGS.flatMap((tag) => {
      const count = counts.get(tag);
      return count === undefined
        ? []
        : [el("span", { class: "count" }, outcomeMark(tag), " ", el("b", {}, count.toLocaleString("en"))), " "];
    });
    const { length } = this.model.calls;
    const dropped = this.model.calls.reduce((sum, call) => sum + call.dropped.length, 0);
    this.seen.replaceChildren(
      el("span", {}, `${length.toLocaleString("en")} ${length === 1 ? "call" : "calls"}${length === 0 ? "" : ":"}`),
      " ",
      ...marks,
      dropped === 0 ? "" : el("span", {}, `× ${dropped} dropped`),
    );
  }

  private show(call: Call): void {
    this.shownCall = call;
    const onFork = this.canFork ? this.actions.fork : undefined;
    // What was opened, or is being typed, must not be lost because a late reply came.
    const focus = this.detail.contains(document.activeElement);
    if (focus) return;
    this.detail.replaceChildren(callDetail(call, { entry: this.actions.entryOf(call.tool), onFork }));
  }

  private press(name: keyof RunPanel["buttons"], act: () => void): void {
    if (this.buttons[name].getAttribute("aria-disabled") !== "true") act();
  }

  private enable(states: Partial<Record<keyof RunPanel["buttons"], boolean>>): void {
    for (const [name, enabled] of Object.entries(states)) {
      const { [name as keyof typeof states]: pressed } = this.buttons;
      if (enabled) pressed.removeAttribute("aria-disabled");
      else pressed.setAttribute("aria-disabled", "true");
    }
  }
}

/** Has the browser save a history as a file. */
export function saveHistory(history: string): void {
  const address = URL.createObjectURL(new Blob([history], { type: "application/jsonl" }));
  el("a", { href: address, download: "history.jsonl" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

function endingNotes(ending: Ending): readonly HTMLElement[] {
  switch (ending.status) {
    case "done":
      return ending.result === ""
        ? []
        : [el("p", { class: "result-line" }, el("span", { class: "word" }, "returned: "), longText(ending.result))];
    case "same":
      return [el("p", { class: "result-line good" }, "The same run again: nothing was dispatched, every outcome came from the history.")];
    case "incomplete":
      return [el("p", { class: "result-line" }, "The history ends before an outcome that the program waits for: the run had not ended.")];
    case "diverged":
      return ending.reasons.map((reason) =>
        el("p", { class: "result-line diverged" }, el("b", {}, "First divergence: "), reasonText(reason)),
      );
    case "threw":
      return ending.reasons.map((reason) => el("p", { class: "result-line" }, el("b", {}, "The run stopped: "), reasonText(reason)));
    case "refused":
      return [
        ...ending.reasons.map((reason) => el("p", { class: "result-line" }, refusedMark(), " ", reasonText(reason))),
        el(
          "p",
          { class: "advice" },
          "Nothing was recorded and no call was made. Bind what fits the declaration, or undo the change to it.",
        ),
      ];
  }
}

function reasonText({ code, message, tool }: Reason): Child {
  return [el("code", { class: "code" }, code), " ", message, tool === undefined || message.includes(tool) ? null : ` (${tool})`];
}
