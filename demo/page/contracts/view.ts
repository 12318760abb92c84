/** The Contracts view: a descriptor, judged; its digest and methods; and how it stands to another one. */
import { type Contract, type ContractDifference, diffContracts, isFlowError, readContract } from "flow-host/contracts";
import { copy } from "../clipboard.ts";
import { button, type Child, el, spoken } from "../dom.ts";
import { faultBlock } from "../fault.ts";
import { JsonField } from "../json-field.ts";
import { lineAndColumn, locate, type Range, tokenAt } from "../locate.ts";
import { panes } from "../panes.ts";
import type { MountedView, ViewContext } from "../shell.ts";
import { CONTRACT_EXAMPLES, type ContractExample } from "./examples.ts";
import { MethodForm } from "./method-form.ts";

const RELATIONS: Readonly<Record<ContractDifference["relation"], string>> = {
  equal: "One interface: the two descriptors are equal as JSON values, and so are their digests.",
  "other-contract": "Two contracts: their ids differ, so neither stands in for the other.",
  "other-version": "Two versions of one contract: exact identities, each bound by its own digest.",
  conflict: "One id and version with two digests: they are incompatible, and no single source may claim both.",
};

/** What is tried at first of the examples' one method. */
const FIRST_VALUE = '{"sessionId": "s-1"}';

type Read = { readonly contract: Contract } | { readonly faults: readonly { code: string; message: string; range: Range; at: string }[] };

export class ContractsView implements MountedView {
  readonly element: HTMLElement;
  private readonly context: ViewContext;
  private readonly picker: HTMLSelectElement;
  private readonly first: JsonField;
  private readonly second: JsonField;
  private readonly verdict = el("div", { class: "verdict", role: "status", id: "contract-verdict" });
  private readonly methods = el("div", {});
  private readonly difference = el("section", { "aria-label": "Compared", role: "status", id: "contract-difference" });
  private values: Record<string, string> = { read: FIRST_VALUE };
  private turn = 0;

  constructor(context: ViewContext) {
    this.context = context;
    const changed = () => this.changed();
    this.first = new JsonField({
      id: "contract-first",
      label: "Descriptor",
      placeholder: "{}",
      faultId: "contract-verdict",
      onInput: changed,
      onSubmit: changed,
    });
    this.second = new JsonField({
      id: "contract-second",
      label: "Compared with",
      placeholder: "Another descriptor",
      faultId: "contract-difference",
      onInput: changed,
      onSubmit: changed,
    });
    this.picker = el(
      "select",
      { id: "contract-example" },
      CONTRACT_EXAMPLES.map(({ title }, i) => el("option", { value: i }, title)),
      el("option", { value: "own", hidden: true }, "Your own"),
    );
    this.picker.addEventListener("change", () => this.fill(CONTRACT_EXAMPLES[Number(this.picker.value)] ?? CONTRACT_EXAMPLES[0], true));
    const left = el(
      "section",
      { class: "pane descriptors", "aria-labelledby": "contract-title", tabindex: 0 },
      el("header", {}, el("h2", { id: "contract-title" }, "Descriptors")),
      el("div", { class: "field pick" }, el("label", { for: "contract-example" }, "Example"), this.picker),
      this.first.element,
      this.second.element,
    );
    const right = el(
      "section",
      { class: "pane", "aria-labelledby": "contract-result", tabindex: 0 },
      el("header", {}, el("h2", { id: "contract-result" }, "What the contract says")),
      this.verdict,
      this.difference,
      this.methods,
    );
    this.element = panes(left, right, { name: "contracts", split: 42 });
    this.fill(CONTRACT_EXAMPLES[1] ?? CONTRACT_EXAMPLES[0], false);
  }

  show(parameters: URLSearchParams): void {
    const descriptor = parameters.get("descriptor");
    const example = CONTRACT_EXAMPLES[Number(parameters.get("example") ?? "none")];
    if (descriptor === null && example === undefined) {
      this.keep();
      return;
    }
    for (const [name, text] of parameters) if (name.startsWith("value.")) this.values[name.slice(6)] = text;
    this.fill(example ?? { title: "", descriptor: descriptor ?? "", other: parameters.get("other") ?? "" }, false);
  }

  private fill({ descriptor, other }: ContractExample, tell: boolean): void {
    this.first.text = descriptor;
    this.second.text = other;
    if (tell) this.keep();
    void this.judge();
  }

  private changed(): void {
    this.keep();
    void this.judge();
  }

  private keep(): void {
    const [descriptor, other] = [this.first.text, this.second.text];
    const example = CONTRACT_EXAMPLES.findIndex((each) => each.descriptor === descriptor && each.other === other);
    const values = Object.entries(this.values).filter(([, text]) => text !== "");
    this.context.setState(
      new URLSearchParams([
        ...(example < 0
          ? [["descriptor", descriptor] as [string, string], ["other", other] as [string, string]]
          : [["example", String(example)] as [string, string]]),
        ...values.map(([name, text]): [string, string] => [`value.${name}`, text]),
      ]),
    );
  }

  private async judge(): Promise<void> {
    const turn = ++this.turn;
    const [descriptor, other] = [this.first.text, this.second.text];
    const picked = CONTRACT_EXAMPLES.findIndex((each) => each.descriptor === descriptor && each.other === other);
    this.picker.value = picked < 0 ? "own" : String(picked);
    const [one, two] = [await read(descriptor), other.trim() === "" ? undefined : await read(other)];
    if (turn !== this.turn) return;
    this.first.mark(undefined);
    this.second.mark(undefined);
    this.showFirst(one);
    this.showDifference(one, two);
  }

  private showFirst(one: Read): void {
    if ("faults" in one) {
      this.verdict.replaceChildren(...faultBlocks(one.faults, this.first));
      this.methods.replaceChildren();
      return;
    }
    const { id, version, digest, methods } = one.contract;
    this.verdict.replaceChildren(el("p", { class: "good" }, "A valid descriptor."), identity(id, version, digest));
    const forms = Object.entries(methods).map(([name, method]) => {
      const form = new MethodForm(name, method, (of, text) => {
        this.values[of] = text;
        this.keep();
      });
      form.text = this.values[name] ?? "";
      return form.element;
    });
    this.methods.replaceChildren(
      el("section", { "aria-labelledby": "contract-methods" }, el("h3", { id: "contract-methods" }, "Methods"), forms),
    );
  }

  private showDifference(one: Read, two: Read | undefined): void {
    if (two === undefined) {
      this.difference.replaceChildren();
      return;
    }
    const title = el("h3", {}, "Compared");
    if ("faults" in two) {
      this.difference.replaceChildren(title, ...faultBlocks(two.faults, this.second));
      return;
    }
    if ("faults" in one) {
      this.difference.replaceChildren(title, el("p", { class: "note" }, "Two valid descriptors can be compared; the first one is not."));
      return;
    }
    const { relation, changes } = diffContracts(one.contract, two.contract);
    const { id, version, digest } = two.contract;
    this.difference.replaceChildren(
      title,
      el("p", { class: `relation relation-${relation}` }, RELATIONS[relation]),
      el(
        "ul",
        { class: "contract-changes" },
        changes.map(({ at, before, after }) =>
          el("li", {}, el("code", { class: "at" }, at === "" ? "/" : at), side("before", before, "del"), side("after", after, "ins")),
        ),
      ),
      identity(id, version, digest),
    );
  }
}

function side(word: string, value: unknown, tag: "del" | "ins"): Child {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return el(tag, {}, spoken(`${word}: `), text.length <= 160 ? text : `${text.slice(0, 150)}…`);
}

function identity(id: string, version: string, digest: string): HTMLElement {
  const copies = button(
    { class: "link" },
    () => void copy(digest, `The digest of version ${version}`),
    "Copy",
    spoken(` the digest of version ${version}`),
  );
  return el(
    "dl",
    { class: "facts" },
    el("dt", {}, "Id"),
    el("dd", {}, el("code", {}, id)),
    el("dt", {}, "Version"),
    el("dd", {}, el("code", {}, version)),
    el("dt", {}, "Digest"),
    el("dd", {}, el("code", { class: "digest" }, digest), " ", copies),
  );
}

async function read(text: string): Promise<Read> {
  try {
    return { contract: await readContract(text) };
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    const errors = caught.errors.length > 0 ? caught.errors : [caught];
    return {
      faults: errors.map(({ code, message, at, offset }) => {
        const pointer = typeof at === "string" ? at : "";
        const range = offset === undefined ? placeIn(text, pointer, code) : tokenAt(text, offset);
        return { code, message, range, at: pointer };
      }),
    };
  }
}

function placeIn(text: string, pointer: string, code: string): Range {
  try {
    return locate(text, pointer, code === "CONTRACT_MEMBER_UNKNOWN" || code === "CONTRACT_NAME_INVALID");
  } catch {
    return { start: 0, end: text.length };
  }
}

function faultBlocks(faults: Extract<Read, { faults: unknown }>["faults"], field: JsonField): readonly HTMLElement[] {
  if (faults[0] !== undefined) field.mark(faults[0].range);
  return faults.map(({ code, message, range, at }) => {
    const { line, column } = lineAndColumn(field.text, range.start);
    const place = `${at === "" ? "" : `${at}, `}line ${line}, column ${column}`;
    const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    const show = (): void => {
      field.mark(range);
      field.focus(range);
    };
    return faultBlock({ code, sentence, place, show, advice: adviceOn(code), example: undefined });
  });
}

function adviceOn(code: string): string {
  if (code === "CONTRACT_MEMBER_UNKNOWN") return "Remove the member, or spell it as descriptors have it.";
  if (code === "CONTRACT_MEMBER_MISSING") return "Write every member that a descriptor must have.";
  if (code === "CONTRACT_VERSION_INVALID") return "Write three whole numbers with points between them, such as 1.0.0.";
  if (code === "CONTRACT_NAME_INVALID") return "Write lower-case letters and digits, joined by single hyphens.";
  if (code === "SCHEMA_REFERENCE_INVALID") return "Point to a definition that stands in $defs.";
  if (code === "SCHEMA_KEYWORD_UNSUPPORTED") return "Schema/1 has fewer keywords than JSON Schema: say it with those it has.";
  return "Change the place that is underlined.";
}
