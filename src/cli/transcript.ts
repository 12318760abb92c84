/** The transcript of a run on the command line: a line for each message, and progress where a person watches. */
import { inspect } from "node:util";
import type { Hooks } from "../host/hooks.ts";
import type { Io } from "./command.ts";
import { visible } from "./visible.ts";

export interface Transcript {
  readonly hooks: Hooks;
  /** The line of the program's result. */
  result(value: unknown): string;
  /** Clears the line of progress. */
  done(): void;
}

export function transcript(io: Io, json: boolean): Transcript {
  let made = 0;
  let settled = 0;
  const clear = () => io.progress("");
  const line = (text: string) => {
    clear();
    io.out(`${visible(text)}\n`);
    io.progress(`${settled} of ${made} call${made === 1 ? "" : "s"} settled`);
  };
  return {
    hooks: {
      onCall({ run, call, tool, args, binding }) {
        made++;
        line(
          json
            ? `{"call":{"args":${args},"binding":${JSON.stringify(binding)},"call":"${call}","run":${JSON.stringify(run)},"tool":${JSON.stringify(tool)}}}`
            : `-> ${call} ${tool} ${args}  [${binding}]`,
        );
      },
      onSettle({ run, call, outcome, text }) {
        settled++;
        line(
          json ? `{"outcome":{"call":"${call}","outcome":${text()},"run":${JSON.stringify(run)}}}` : `<- ${call} ${outcome.tag} ${text()}`,
        );
      },
      onRestart({ binding, reason }) {
        io.err(`${binding} was started again: ${reason}\n`);
      },
      onDrop({ binding, why, detail }) {
        io.err(`${binding}: a message was dropped (${why}): ${detail}\n`);
      },
      log: (text) => io.err(`${text}\n`),
    },
    result(value) {
      clear();
      const shown = inspect(value, { depth: null });
      return json ? `${JSON.stringify({ result: shown })}\n` : `result: ${visible(shown)}\n`;
    },
    done: clear,
  };
}
