/** The loop: bends inputs, checks them, keeps those that reach something new, makes small what fails. */
import { type Random, randomFrom } from "../types/random.ts";
import type { Target } from "./target.ts";
import { pick } from "./text.ts";

/** Says what of the code an input reached. */
export interface Reach {
  /**
   * Whether the work since the last question reached code that none did before, and how many blocks were run.
   * @param remembers Whether it is reached from now on.
   */
  take(remembers: boolean): { readonly isNew: boolean; readonly work: number };
}

export interface FuzzOptions {
  readonly seed: number;
  /** Whether to go on, asked before each batch. */
  readonly goesOn: (run: number) => boolean;
  readonly reach?: Reach;
  /** Told of each input before it is checked: should it never return, this was it. */
  readonly before?: (input: string) => void;
}

export interface Finding {
  readonly target: string;
  readonly message: string;
  /** The smallest input that was found to fail the same way. */
  readonly input: string;
}

export interface FuzzReport {
  readonly target: string;
  readonly runs: number;
  /** Inputs to go on from: samples, and those that reached something new. */
  readonly kept: number;
  readonly findings: readonly Finding[];
}

/** Inputs that are checked between two questions for what they reached, at most. */
const BATCH = 64;
/** Different failures that are collected before a round ends. */
const MOST_FINDINGS = 8;
/**
 * Blocks that may be run for one input, and beside that for each of its characters; what is read in linear time takes a
 * fiftieth of it. Inputs together are looked into sooner, since one of them may have done the work of all.
 */
const WORK_BASE = 3_000_000;
const WORK_EACH = 1_000;
const WORK_EACH_TOGETHER = 100;

/** Fuzzes one target. The same seed and number of runs give the same inputs where no reach is given. */
export async function fuzz(target: Target, { seed, goesOn, reach, before = () => {} }: FuzzOptions): Promise<FuzzReport> {
  const random = randomFrom(seed);
  const corpus = [...target.seeds];
  const findings = new Map<string, Finding>();
  const failureOf = async (input: string): Promise<unknown> => {
    before(input);
    try {
      await target.check(input);
      return undefined;
    } catch (error) {
      return error ?? "undefined was thrown";
    }
  };
  const tell = async (input: string, error: unknown): Promise<void> => {
    const kind = kindOf(error);
    if (findings.has(kind)) return;
    const smallest = await minimise(input, async (candidate) => {
      const failed = await failureOf(candidate);
      return failed !== undefined && kindOf(failed) === kind;
    });
    findings.set(kind, { target: target.name, message: String(error), input: smallest });
  };
  /** Finds what of some inputs, which were just checked, reached something new or took too long: by parts, down to each alone. */
  const seek = async (inputs: readonly string[], reach: Reach): Promise<void> => {
    const [only] = inputs;
    const { isNew, work } = reach.take(inputs.length === 1);
    const length = inputs.reduce((sum, input) => sum + input.length, 0);
    const isLong = work > (target.budget ?? WORK_BASE) + (inputs.length === 1 ? WORK_EACH : WORK_EACH_TOGETHER) * length;
    if (only === undefined || !(isNew || isLong)) return;
    if (inputs.length > 1) {
      const step = Math.ceil(inputs.length / 4);
      for (let at = 0; at < inputs.length; at += step) {
        const part = inputs.slice(at, at + step);
        for (const input of part) await failureOf(input);
        await seek(part, reach);
      }
      return;
    }
    if (isNew) corpus.push(only);
    const message = "too much work";
    if (isLong && !findings.has(message))
      findings.set(message, { target: target.name, message: `${message}: ${work} blocks`, input: only });
  };
  let runs = 0;
  let size = reach === undefined ? BATCH : 1;
  for (const input of corpus) {
    const error = await failureOf(input);
    if (error !== undefined) await tell(input, error);
  }
  reach?.take(true);
  while (goesOn(runs) && findings.size < MOST_FINDINGS) {
    const batch = Array.from({ length: size }, () => bend(target, corpus, random));
    for (const input of batch) {
      runs++;
      const error = await failureOf(input);
      if (error !== undefined) await tell(input, error);
    }
    if (reach === undefined) continue;
    const { length } = corpus;
    await seek(batch, reach);
    // While much is new, searching for it costs more than asking after each.
    size = corpus.length > length ? Math.max(1, size >> 1) : Math.min(BATCH, 2 * size);
  }
  return { target: target.name, runs, kept: corpus.length, findings: [...findings.values()] };
}

/** A new input: some changes of one that is known, the latest ones being the likelier. */
function bend(target: Target, corpus: readonly string[], random: Random): string {
  const latest = random(2) === 0 && corpus.length > target.seeds.length;
  let input = latest ? (corpus[corpus.length - 1 - random(corpus.length - target.seeds.length)] as string) : pick(random, corpus);
  for (let left = 1 + random(random(3) === 0 ? 8 : 3); left > 0; left--) input = target.mutate(input, random, pick(random, corpus));
  return input;
}

/** Failures of one kind: the same class and sentence, whatever values it names, thrown in the same place. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const sentence = error.message.split(" | ")[0] ?? "";
  const words = sentence.replace(/"[^"]*"|'[^']*'|\d+/g, "#").slice(0, 80);
  if (error.name === "Broken") return words;
  const place = /\n\s+at (?:async )?([\w.$<>]+)/.exec(error.stack ?? "")?.[1] ?? "";
  return `${error.name}: ${words} in ${place}`;
}

/** Inputs that are tried to make one smaller. */
const MOST_TRIES = 3_000;

/**
 * The smallest input that still fails: pieces are left out, the largest first, and what remains is made plain.
 * @param fails Whether an input fails in the same way.
 */
export async function minimise(input: string, fails: (input: string) => Promise<boolean>): Promise<string> {
  let smallest = input;
  let tries = 0;
  const takes = async (candidate: string): Promise<boolean> => {
    if (tries++ >= MOST_TRIES || candidate === smallest || !(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (let before = -1; before !== smallest.length && tries < MOST_TRIES; ) {
    before = smallest.length;
    for (let size = 2 ** Math.floor(Math.log2(Math.max(1, smallest.length))); size >= 1; size >>= 1) {
      for (let at = 0; at < smallest.length; ) {
        if (!(await takes(smallest.slice(0, at) + smallest.slice(at + size)))) at += size;
      }
    }
  }
  for (let at = 0; at < smallest.length; at++) {
    if (!/[a0 ]/.test(smallest[at] as string)) {
      for (const plain of "a0 ") if (await takes(smallest.slice(0, at) + plain + smallest.slice(at + 1))) break;
    }
  }
  return smallest;
}
