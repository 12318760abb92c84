/** Outcomes: how a call can end (*The Tool process protocol*, R27). */
import { Refusal } from "../json/errors.ts";
import { describeJson, isJsonObject, type JsonValue } from "../json/value.ts";

/** What a program gets in place of the success value. */
export type ToolProblem<E = unknown> =
  | { readonly tag: "Failed"; readonly value: E }
  /** The call definitely did not happen. */
  | { readonly tag: "NotRun"; readonly value: string }
  /** The call may or may not have happened. */
  | { readonly tag: "Unknown"; readonly value: string }
  /** The call was answered, and the answer is no value of the declared type. */
  | { readonly tag: "BadReply"; readonly value: string };

/** The one end of a call. */
export type Outcome<T = unknown, E = unknown> = { readonly tag: "Ok"; readonly value: T } | ToolProblem<E>;

/**
 * An answer as a way to reach Tools hands it over: a value that never left the process, JSON that was read exactly,
 * or text that nobody has read yet.
 */
export type Reply =
  | { readonly tag: "Ok" | "Failed"; readonly value: unknown }
  | { readonly tag: "Ok" | "Failed"; readonly json: JsonValue }
  | { readonly tag: "Ok" | "Failed"; readonly text: string | Uint8Array }
  | {
      readonly tag: "NotRun" | "Unknown";
      readonly reason: string;
      /** Whether the Tool said so itself, or this side of the boundary did (R45 tells them apart). */
      readonly from: "tool" | "host";
    }
  /** Something that is no outcome at all; the reason says what was wrong with it. */
  | { readonly tag: "Malformed"; readonly reason: string };

export function notRun(reason: string): Reply {
  return { tag: "NotRun", reason, from: "host" };
}

export function unknown(reason: string): Reply {
  return { tag: "Unknown", reason, from: "host" };
}

/** The reply in an `outcome` that was sent: an object with exactly one of the four members (R26). */
export function readOutcome(json: JsonValue | undefined): Reply {
  if (!isJsonObject(json)) return malformed(`an outcome is an object, met ${json === undefined ? "none" : describeJson(json)}`);
  const names = Object.keys(json);
  if (names.length !== 1) return malformed(`an outcome has exactly one member, met ${names.length}`);
  const tag = names[0] as string;
  const content = json[tag] as JsonValue;
  if (tag === "Ok" || tag === "Failed") return { tag, json: content };
  if (tag !== "NotRun" && tag !== "Unknown") {
    return malformed(`an outcome is Ok, Failed, NotRun or Unknown, met ${JSON.stringify(tag.slice(0, 40))}`);
  }
  if (typeof content !== "string") return malformed(`${tag} carries its reason as a string, met ${describeJson(content)}`);
  return { tag, reason: content, from: "tool" };
}

/** The canonical text of an outcome whose content is canonical text already. */
export function outcomeText(tag: Outcome["tag"], content: string): string {
  return `{"${tag}":${content}}`;
}

export function malformed(reason: string): Reply {
  return { tag: "Malformed", reason };
}

/** A sentence for anything thrown, without its stack. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Refusal) return thrown.toFlowError().message;
  if (thrown instanceof Error) return thrown.name === "Error" ? thrown.message : `${thrown.name}: ${thrown.message}`;
  try {
    return String(thrown);
  } catch {
    return "something was thrown that has no text";
  }
}
