/**
 * Histories: what a run did, as an append-only log of canonical JSON lines. The format is this project's own and goes
 * by the data version; `docs/history.md` describes it.
 *
 *     {"start":{"data":"0.1","input":{…},"run":"…","tools":[["identity","sha256:…"],…]}}
 *     {"call":{"args":{…},"call":"1","tool":"…"}}                     with schema and types where generic
 *     {"outcome":{"call":"1","outcome":{"Ok":…}}}
 *     {"end":{"problem":null}}
 */
import { FlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT, DEFAULT_LIMITS } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { canonicalText } from "../json/write.ts";
import { outcomeText } from "../protocol/outcome.ts";
import { requireDataVersion } from "../signature/dataversion.ts";

/** The first line: what the run began with. */
export interface StartEntry {
  /** Which of the entries this is. */
  readonly kind: "start";
  /** The data version the history is written in. */
  readonly data: string;
  /** The run's id. */
  readonly run: string;
  /** Canonical text. */
  readonly input: string;
  /** Identity and fingerprint of every Tool the program can reach. */
  readonly tools: readonly (readonly [string, string])[];
}

/** A call, as it was recorded before it was sent. */
export interface CallEntry {
  /** Which of the entries this is. */
  readonly kind: "call";
  /** The call's id. */
  readonly call: string;
  /** The identity of the declaration. */
  readonly tool: string;
  /** Canonical text, like the views. */
  readonly args: string;
  /** Canonical text of a generic call's schema. */
  readonly schema?: string;
  /** Canonical text of a generic call's types view. */
  readonly types?: string;
}

/** An outcome, as it was recorded before the program got it. */
export interface OutcomeEntry {
  /** Which of the entries this is. */
  readonly kind: "outcome";
  /** The call's id. */
  readonly call: string;
  /** Which outcome it is. */
  readonly tag: "Ok" | "Failed" | "NotRun" | "Unknown" | "BadReply";
  /** The value's or error's canonical text; for the others that of the reason, a string. */
  readonly content: string;
}

/** The last line: the program has ended, and so has every call. */
export interface EndEntry {
  /** Which of the entries this is. */
  readonly kind: "end";
  /** Why the program ended without a result, or null. */
  readonly problem: string | null;
}

/** One line of a history. */
export type Entry = StartEntry | CallEntry | OutcomeEntry | EndEntry;

/** A history that was read. */
export interface History {
  /** Its first line. */
  readonly start: StartEntry;
  /** Everything after the start, in recorded order. */
  readonly entries: readonly Entry[];
  /** Whether its last line had been cut short by a crash; that line is not among the entries (R38). */
  readonly cutShort: boolean;
}

/** The line of an entry, its line feed included. Members are in canonical order by construction. */
export function entryLine(entry: Entry): string {
  switch (entry.kind) {
    case "start": {
      const tools = entry.tools.map(([tool, fingerprint]) => `[${text(tool)},${text(fingerprint)}]`).join(",");
      return `{"start":{"data":${text(entry.data)},"input":${entry.input},"run":${text(entry.run)},"tools":[${tools}]}}\n`;
    }
    case "call": {
      const schema = entry.schema === undefined ? "" : `"schema":${entry.schema},`;
      const types = entry.types === undefined ? "" : `,"types":${entry.types}`;
      return `{"call":{"args":${entry.args},"call":${text(entry.call)},${schema}"tool":${text(entry.tool)}${types}}}\n`;
    }
    case "outcome":
      return `{"outcome":{"call":${text(entry.call)},"outcome":${outcomeText(entry.tag, entry.content)}}}\n`;
    case "end":
      return `{"end":{"problem":${entry.problem === null ? "null" : text(entry.problem)}}}\n`;
  }
}

/** The line of the host's own record that says which implementation a call went to. */
export function servedLine(call: string, binding: string): string {
  return `{"served":{"binding":${text(binding)},"call":${text(call)}}}\n`;
}

/** The line of the host's own record that says where the program's sources lie. */
export function baseLine(base: string): string {
  return `{"base":${text(base)}}\n`;
}

/** The source base in the host's own record; damaged lines are passed over, since nothing of a run rests on them. */
export function recordedBase(notes: string): string | undefined {
  for (const line of notes.split("\n")) {
    if (!line.startsWith('{"base":')) continue;
    try {
      const json = parseJson(line, LINE_LIMITS);
      if (isJsonObject(json) && typeof json["base"] === "string") return json["base"];
    } catch {}
  }
  return undefined;
}

/** Texts of an application's own (a path, a title) may hold anything; a lone surrogate must not keep a line out of history. */
function text(value: string): string {
  return canonicalText(wellFormed(value));
}

/** The text with each lone surrogate replaced. */
export function wellFormed(value: string): string {
  return value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** A line holds a document of the default size and its envelope. */
const LINE_LIMITS = { ...DEFAULT_LIMITS, bytes: 8 * DEFAULT_LIMITS.bytes, values: 4 * DEFAULT_LIMITS.values, depth: DEEPEST_LIMIT };

/**
 * Reads a history.
 * @param source The whole log. A last line without its line feed was cut short and is ignored.
 * @throws FlowError `history` for any other damage, with the line; `version` for another major data version
 */
export function readHistory(source: string): History {
  const lines = source.split("\n");
  const cutShort = lines.pop() !== "";
  const entries = lines.map((line, i) => readEntry(line, i + 1));
  const [start, ...rest] = entries;
  if (start?.kind !== "start") throw damaged(1, "a start entry first");
  const again = rest.findIndex((entry) => entry.kind === "start");
  if (again >= 0) throw damaged(again + 2, "one start entry alone");
  requireConsistent(rest);
  return { start, entries: rest, cutShort };
}

/** Every call once, every outcome after its call and once. */
function requireConsistent(entries: readonly Entry[]): void {
  const open = new Map<string, boolean>();
  entries.forEach((entry, i) => {
    if (entry.kind === "call") {
      if (open.has(entry.call)) throw damaged(i + 2, `call ${entry.call} once`);
      open.set(entry.call, true);
    } else if (entry.kind === "outcome") {
      if (open.get(entry.call) !== true) throw damaged(i + 2, `an outcome of an open call, not of ${entry.call}`);
      open.set(entry.call, false);
    }
  });
}

function readEntry(line: string, number: number): Entry {
  let json: JsonValue;
  try {
    json = parseJson(line, LINE_LIMITS);
  } catch (cause) {
    throw damaged(number, "a line of JSON", cause);
  }
  const kind = isJsonObject(json) ? Object.keys(json)[0] : undefined;
  const members = kind === undefined ? undefined : (json as JsonObject)[kind];
  if (!isJsonObject(members)) throw damaged(number, "an entry, an object with one member");
  switch (kind) {
    case "start": {
      const data = members["data"];
      requireDataVersion(data, "/start/data");
      return {
        kind,
        data: data as string,
        run: string(members, "run", number),
        input: inner(members, "input", number),
        tools: toolList(members, number),
      };
    }
    case "call": {
      const base = {
        kind,
        call: string(members, "call", number),
        tool: string(members, "tool", number),
        args: inner(members, "args", number),
      } as const;
      if (members["types"] === undefined) return base;
      return { ...base, schema: inner(members, "schema", number), types: inner(members, "types", number) };
    }
    case "outcome": {
      const outcome = members["outcome"];
      const tag = isJsonObject(outcome) ? Object.keys(outcome)[0] : undefined;
      if (tag !== "Ok" && tag !== "Failed" && tag !== "NotRun" && tag !== "Unknown" && tag !== "BadReply") {
        throw damaged(number, "an outcome");
      }
      return { kind, call: string(members, "call", number), tag, content: inner(outcome as JsonObject, tag, number) };
    }
    case "end": {
      const problem = members["problem"];
      if (problem !== null && typeof problem !== "string") throw damaged(number, "a problem, a string or null");
      return { kind, problem };
    }
    default:
      throw damaged(number, "an entry of a known kind");
  }
}

function string(members: JsonObject, name: string, number: number): string {
  const value = members[name];
  if (typeof value !== "string") throw damaged(number, `a string ${JSON.stringify(name)}`);
  return value;
}

function inner(members: JsonObject, name: string, number: number): string {
  const value = members[name];
  if (value === undefined) throw damaged(number, `the member ${JSON.stringify(name)}`);
  return canonicalText(value, LINE_LIMITS);
}

function toolList(members: JsonObject, number: number): readonly (readonly [string, string])[] {
  const list = members["tools"];
  if (!Array.isArray(list)) throw damaged(number, "a list of Tools");
  return list.map((pair: JsonValue) => {
    if (!Array.isArray(pair) || typeof pair[0] !== "string" || typeof pair[1] !== "string") throw damaged(number, "a list of Tools");
    return [pair[0], pair[1]] as const;
  });
}

function damaged(line: number, expected: string, cause?: unknown): FlowError {
  return new FlowError("history", `the history is damaged: expected ${expected} in line ${line}`, {
    at: { file: "history", line, column: 1 },
    ...(cause === undefined ? {} : { cause }),
  });
}
