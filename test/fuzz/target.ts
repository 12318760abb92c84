/** What is fuzzed: a reader, samples it takes, ways to bend them, and what has to hold of every input. */
import { FlowError } from "../../src/json/errors.ts";
import type { Random } from "../types/random.ts";

export interface Target {
  readonly name: string;
  /** Inputs to start from. Every input is a string; of bytes, each is one character below U+0100. */
  readonly seeds: readonly string[];
  /** One change of an input. `other` is another input, to take parts of. */
  mutate(input: string, random: Random, other: string): string;
  /** Blocks of code that any input may take, where a budget and not its length bounds the work. */
  readonly budget?: number;
  /** Throws, or rejects, where something does not hold that has to. */
  check(input: string): void | Promise<void>;
}

/** Something that has to hold and does not. */
export class Broken extends Error {
  override name = "Broken";
}

export function require(holds: boolean, what: string, ...shown: readonly unknown[]): asserts holds {
  if (!holds) throw new Broken([what, ...shown.map((value) => excerpt(value))].join(" | "));
}

export function requireSame(a: unknown, b: unknown, what: string): void {
  if (!Object.is(a, b)) throw new Broken(`${what} | ${excerpt(a)} | ${excerpt(b)}`);
}

function excerpt(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return text === undefined || text.length <= 300 ? String(text) : `${text.slice(0, 300)}… (${text.length})`;
}

/** The value, or the refusal. */
export type Attempt<T> = { readonly value: T; readonly refused?: undefined } | { readonly value?: undefined; readonly refused: FlowError };

/**
 * What a piece of work comes to, which may refuse with one of the codes and a place that is a JSON Pointer, in a sentence
 * of bounded length. Anything else it throws is thrown on.
 */
export function attempt<T>(work: () => T, codes: ReadonlySet<string>): Attempt<T> {
  try {
    return { value: work() };
  } catch (caught) {
    return { refused: requireRefusal(caught, codes) };
  }
}

/** As {@link attempt}, of work that takes its time. */
export async function attemptAsync<T>(work: () => Promise<T>, codes: ReadonlySet<string>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (caught) {
    return { refused: requireRefusal(caught, codes) };
  }
}

/** Names that are quoted whole may be as long as inputs get; sentences that grow with the input are not shown to anyone. */
const LONGEST_SENTENCE = 2_000;

function requireRefusal(caught: unknown, codes: ReadonlySet<string>): FlowError {
  if (!(caught instanceof FlowError)) throw caught;
  const { code, at, message, errors } = caught;
  require(codes.has(code), `a refusal with the code ${code}, which is none of its own`, message);
  require(typeof at === "string" && /^(?:\/(?:[^~/]|~[01])*)*$/.test(at), `a refusal ${code} at no JSON Pointer`, at, message);
  require(message.length <= LONGEST_SENTENCE, `a sentence of ${code} that is as long as its input`, message.length, message);
  for (const error of errors) if (error !== caught) requireRefusal(error, codes);
  return caught;
}

/** Code, place and offset of a refusal, or "accepted". */
export function verdict({ refused }: Attempt<unknown>): string {
  return refused === undefined ? "accepted" : `${refused.code} ${String(refused.at)} @${refused.offset}`;
}

/** A number below `below` that depends on the input alone, so that a case needs nothing beside its input. */
export function hashOf(input: string, below: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < input.length; i++) hash = Math.imul(hash ^ input.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % below;
}

/** Codes of JSON texts. */
export const TEXT_CODES: ReadonlySet<string> = new Set(["syntax", "duplicate-member", "lone-surrogate", "limit"]);
