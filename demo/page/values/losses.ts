/** What `JSON.parse` loses of a text: digits that binary floating point cannot hold, and members that a later one overwrites. */
import type { Range } from "../locate.ts";
import { scan } from "./scan.ts";

export interface LostDigits {
  readonly kind: "number";
  /** The whole number. */
  readonly number: Range;
  /** Its digits from the first that is not kept. */
  readonly lost: Range;
  /** What it becomes. */
  readonly becomes: string;
}

export interface LostMember {
  readonly kind: "member";
  readonly range: Range;
}

export type Loss = LostDigits | LostMember;

export type Losses =
  | { readonly refused: string }
  /** In order of their places; a loss inside of a lost member is not counted again. */
  | { readonly losses: readonly Loss[]; readonly words: string; readonly result: string };

export function lossesOf(text: string): Losses {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (caught) {
    return { refused: (caught as Error).message };
  }
  const { numbers, objects } = scan(text);
  const members = objects.flatMap(({ members: all }) => {
    const last = new Map(all.map((member, i) => [member.name, i]));
    return all.filter(({ name }, i) => last.get(name) !== i);
  });
  const outermost = members.filter((member) => !members.some((other) => other !== member && inside(member, other)));
  const digits = numbers
    .filter((number) => !outermost.some((member) => inside(number, member)))
    .flatMap((number) => lostDigits(text, number) ?? []);
  const losses: Loss[] = [...outermost.map((range) => ({ kind: "member", range }) as const), ...digits];
  losses.sort((a, b) => startOf(a) - startOf(b));
  return { losses, words: inWords(digits.length, outermost.length), result: JSON.stringify(value) };
}

/** "3 numbers changed, 1 member lost" */
function inWords(numbers: number, members: number): string {
  const parts = [];
  if (numbers > 0) parts.push(`${numbers} ${numbers === 1 ? "number" : "numbers"} changed`);
  if (members > 0) parts.push(`${members} ${members === 1 ? "member" : "members"} lost`);
  return parts.length === 0 ? "nothing lost" : parts.join(", ");
}

function inside(inner: Range, outer: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function startOf(loss: Loss): number {
  return loss.kind === "number" ? loss.number.start : loss.range.start;
}

interface Digits {
  readonly negative: boolean;
  /** Significant digits, without zeros at either end. */
  readonly digits: string;
  /** The power of ten of the first of them. */
  readonly power: number;
  /** Where each digit stands in the text. */
  readonly places: readonly number[];
}

/** Two numbers are the same if their shortest texts are: 0.1 is 0.1, whatever its double is worth. */
function lostDigits(text: string, number: Range): LostDigits | undefined {
  const written = text.slice(number.start, number.end);
  const made = Number(written);
  const becomes = Number.isFinite(made) ? String(made) : `${made}, which JSON.stringify writes as null`;
  const exact = digitsOf(written);
  const kept = Number.isFinite(made) ? digitsOf(String(made)) : undefined;
  if (kept !== undefined && exact.digits === kept.digits && (exact.digits === "" || exact.power === kept.power)) return undefined;
  let first = 0;
  if (kept !== undefined && kept.power === exact.power) {
    while (first < exact.digits.length - 1 && exact.digits[first] === kept.digits[first]) first++;
  }
  const start = number.start + (exact.places[first] ?? 0);
  const end = number.start + (exact.places.at(-1) ?? written.length - 1) + 1;
  return { kind: "number", number, lost: { start, end }, becomes };
}

function digitsOf(written: string): Digits {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  const digits = first < 0 ? "" : all.slice(first).replace(/0+$/, "");
  const places = [...digits].map((_, i) => {
    const index = first + i;
    return sign.length + index + (index >= whole.length ? 1 : 0);
  });
  return { negative: sign === "-", digits, power: whole.length - 1 - Math.max(first, 0) + Number(exponent), places };
}
