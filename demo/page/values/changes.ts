/** How the canonical text of a value differs from the text it was read from, in sentences. */
import { canonicalText, type JsonValue, parseJson } from "flow-host";
import { locate } from "../locate.ts";
import { scan } from "./scan.ts";

export interface Change {
  /** `spelling`, `order`, `numbers`, `space`, `members` */
  readonly what: string;
  readonly sentence: string;
}

/** So many examples of one kind of change are shown. */
const EXAMPLES = 3;

/**
 * @param text a text that decoded
 * @param canonical its value's canonical text
 */
export function changesOf(text: string, canonical: string): readonly Change[] {
  const { numbers, strings, objects, spaced } = scan(text);
  const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  const changes: Change[] = [];
  const say = (what: string, sentence: string) => changes.push({ what, sentence });

  const respelled = (ranges: typeof numbers) =>
    ranges.map(slice).flatMap((written) => {
      const to = canonicalText(parseJson(written));
      return to === written ? [] : [`${short(written)} → ${short(to)}`];
    });
  const otherNumbers = respelled(numbers);
  if (otherNumbers.length > 0) say("numbers", `Each number has one spelling: ${some(otherNumbers)}.`);
  const otherStrings = respelled(strings);
  if (otherStrings.length > 0) say("spelling", `Each character has one spelling: ${some(otherStrings)}.`);
  const unordered = objects
    .map(({ members }) => members.map(({ name }) => name))
    .filter((names) => names.some((name, i) => i > 0 && byCodePoint(names[i - 1] as string, name) > 0));
  if (unordered.length > 0)
    say(
      "order",
      `Members stand in order of their names: ${some(unordered.map((names) => `${names.join(", ")} → ${[...names].sort(byCodePoint).join(", ")}`))}.`,
    );
  if (spaced) say("space", "Space between the parts is left out.");
  const typed = typedChanges(text, canonical);
  if (typed.length > 0) say("type", `As the type has it: ${some(typed)}.`);
  return changes;
}

/** What decoding at the type changed, beyond any JSON value's own canonical text. */
function typedChanges(text: string, canonical: string): readonly string[] {
  const found: string[] = [];
  walk(parseJson(text), parseJson(canonical), "", (pointer, gone) => {
    const range = locate(text, pointer);
    const before = short(text.slice(range.start, range.end));
    if (gone) found.push(`${pointer} ${before} is left out`);
    else {
      const to = locate(canonical, pointer);
      found.push(`${before} → ${short(canonical.slice(to.start, to.end))}`);
    }
  });
  return found;
}

function walk(before: JsonValue, after: JsonValue, at: string, report: (pointer: string, gone: boolean) => void): void {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    before.forEach((item, i) => {
      walk(item as JsonValue, after[i] as JsonValue, `${at}/${i}`, report);
    });
  } else if (isObject(before) && isObject(after)) {
    for (const [name, value] of Object.entries(before)) {
      const pointer = `${at}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`;
      if (!Object.hasOwn(after, name)) report(pointer, true);
      else walk(value, after[name] as JsonValue, pointer, report);
    }
  } else if (canonicalText(before) !== canonicalText(after)) report(at, false);
}

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const step = ((left[i] as string).codePointAt(0) ?? 0) - ((right[i] as string).codePointAt(0) ?? 0);
    if (step !== 0) return step;
  }
  return left.length - right.length;
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 38)}…`;
}

function some(list: readonly string[]): string {
  const rest = list.length - EXAMPLES;
  return rest > 0 ? `${list.slice(0, EXAMPLES).join("; ")}; and ${rest} more` : list.join("; ");
}
