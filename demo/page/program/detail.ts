/** What is known of one call: what was sent, what came back, how long it took, why it ended so, and a way to fork there. */
import { codecFor, type Term, type ToolEntry } from "flow-host";
import { button, type Child, el, spoken } from "../dom.ts";
import { longText } from "../long-text.ts";
import { toolName } from "../notation.ts";
import { outcomeMark, whyOutcome } from "../outcome.ts";
import { valueTree } from "../tree.ts";
import { explains, FAULTS } from "./explain.ts";
import type { Call } from "./model.ts";
import { microseconds } from "./timeline.ts";

/** Why a call of a Tool that was switched ended as it did; undefined where the switch is not the reason. */
export function faultSentence({ fault, tag }: Call): Child | undefined {
  if (fault === undefined || tag === undefined || !explains(fault, tag)) return undefined;
  const { sentence, rule } = FAULTS[fault];
  return [sentence, " ", el("span", { class: "rule" }, rule)];
}

export interface DetailOptions {
  /** The declaration, where the program still has it. */
  readonly entry: ToolEntry | undefined;
  /** Undefined where there is no history to fork. */
  readonly onFork: ((call: Call, args: string | undefined) => void) | undefined;
}

const bytes = (text: string): string => `${new TextEncoder().encode(text).length.toLocaleString("en")} bytes`;

export function callDetail(call: Call, { entry, onFork }: DetailOptions): HTMLElement {
  const { file, name } = toolName(call.tool);
  const title = el("h3", {}, `Call ${call.call} `, el("span", { class: "file" }, `${file}.`), name);
  const { tag, text, settled } = call;
  if (tag === undefined || text === undefined || settled === undefined) {
    return el("div", { class: "detail" }, title, el("p", { class: "running" }, "Still out…"), said([["Arguments", call.args]]));
  }
  const content = text.slice(text.indexOf(":") + 1, -1);
  const took =
    call.binding === "history" ? "from a history, nothing was dispatched" : `${microseconds(settled - call.sent)}, ${call.binding}`;
  return el(
    "div",
    { class: "detail" },
    title,
    el("p", { class: "ending" }, outcomeMark(tag), " ", reasonOf(call, content), " ", el("span", { class: "time" }, took)),
    brokenBy(call),
    call.dropped.map(({ why, detail }) =>
      el("p", { class: "dropped" }, el("span", { class: "cross" }, "×"), ` dropped, ${why}: ${detail}`),
    ),
    whyOutcome(tag),
    said([
      ["Arguments", call.args],
      ["Outcome", text],
    ]),
    decoded(call, content, entry),
    onFork === undefined ? null : fork(call, onFork),
  );
}

function reasonOf({ tag }: Call, content: string): Child {
  return tag === "Ok" || tag === "Failed" ? null : el("span", { class: "reason" }, String(JSON.parse(content)));
}

function brokenBy(call: Call): Child {
  const why = faultSentence(call);
  if (why === undefined || call.fault === undefined) return null;
  return el("p", { class: "broken-by" }, el("b", {}, `Switched to “${FAULTS[call.fault].label}”. `), why);
}

function said(texts: readonly (readonly [string, string])[]): HTMLElement {
  return el(
    "dl",
    { class: "said" },
    texts.map(([name, text]) => [
      el("dt", {}, name, " ", el("span", { class: "time" }, bytes(text))),
      el("dd", {}, longText(text, `${name.toLowerCase()}-text`)),
    ]),
  );
}

function decoded({ tag }: Call, content: string, entry: ToolEntry | undefined): Child {
  if (entry === undefined || entry.spec.generic.length > 0) return null;
  const { ok, err, declarations } = entry.spec;
  const term: Term | undefined = tag === "Ok" ? ok : tag === "Failed" ? err : undefined;
  if (term === undefined) return null;
  try {
    // A history holds what the program had, host tokens and opaque values included.
    const value = codecFor(term, declarations).decode(content, { grant: "all" });
    return [el("h4", {}, "Decoded value"), valueTree(value, term, declarations)];
  } catch {
    return el("p", { class: "note" }, "The declaration has changed since: the value is none of its type any more.");
  }
}

function fork(call: Call, onFork: (call: Call, args: string | undefined) => void): HTMLElement {
  const id = `fork-${call.call.replace(/\W/g, "-")}`;
  const area = el("textarea", { id, rows: 2, spellcheck: "false", autocomplete: "off", class: "plain" });
  area.value = call.args;
  return el(
    "div",
    { class: "fork" },
    button({}, () => onFork(call, area.value === call.args ? undefined : area.value), "Fork from here", spoken(`, from call ${call.call}`)),
    el(
      "details",
      {},
      el("summary", {}, "with other arguments"),
      el("label", { for: id, class: "spoken" }, `Arguments of call ${call.call} in the fork, as JSON`),
      area,
    ),
  );
}
