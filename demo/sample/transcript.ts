/** A transcript: one line for each message, with canonical arguments and outcomes. */
import { type Hooks, isFlowError } from "flow-host";

/** A line, in parts, so that a terminal and a page can each colour them. */
export interface TranscriptLine {
  readonly kind: "title" | "call" | "outcome" | "refusal" | "result";
  /** The call's number; empty for lines that belong to none. */
  readonly call: string;
  /** `search.find` of a call, the outcome's word of an outcome. */
  readonly word: string;
  readonly text: string;
}

export type Print = (line: TranscriptLine) => void;

/** Hooks of a host that print its calls and their outcomes. */
export function transcriptHooks(print: Print): Hooks {
  return {
    onCall: ({ call, tool, args, binding }) => print({ kind: "call", call, word: shortName(tool), text: `${args}  [${binding}]` }),
    onSettle: ({ call, outcome, text }) => print({ kind: "outcome", call, word: outcome.tag, text: text() }),
    log: (line) => print({ kind: "result", call: "", word: "log", text: line }),
  };
}

export function title(text: string): TranscriptLine {
  return { kind: "title", call: "", word: "", text };
}

export function result(text: string): TranscriptLine {
  return { kind: "result", call: "", word: "result", text };
}

/** A line for each reason why a run did not start. */
export function refusals(caught: unknown): readonly TranscriptLine[] {
  if (!isFlowError(caught)) throw caught;
  const errors = caught.errors.length > 0 ? caught.errors : [caught];
  return errors.map(({ code, message }) => ({ kind: "refusal", call: "", word: code, text: message }));
}

/** `search.find` for `github.com/acme/docs@1.0.0/search.flow.find`. */
export function shortName(tool: string): string {
  return tool.slice(tool.lastIndexOf("/") + 1).replace(".flow.", ".");
}

/** A line as plain text. */
export function plain(line: TranscriptLine): string {
  switch (line.kind) {
    case "title":
      return line.text;
    case "call":
      return `  -> ${line.call.padEnd(2)} ${line.word} ${line.text}`;
    case "outcome":
      return `  <- ${line.call.padEnd(2)} ${line.word} ${line.text}`;
    case "refusal":
      return `  refused ${line.word}: ${line.text}`;
    case "result":
      return `  ${line.word}: ${line.text}`;
  }
}
