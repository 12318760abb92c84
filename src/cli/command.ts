/** What every subcommand of `flow-host` is, and how its words are taken apart. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { FlowError, isFlowError } from "../json/errors.ts";

/** The world a command runs in; tests give it another. */
export interface Io {
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Shows a line of progress in place of the last one; an empty one takes it away. */
  readonly progress: (text: string) => void;
  readonly readInput: () => Promise<Uint8Array>;
  /** Asks the person at the terminal; `undefined` where there is none. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
}

/** Exit statuses. */
export const OK = 0;
/** What was asked for is refused: a diagnostic, a value that does not decode, a run that did not start. */
export const REFUSED = 1;
/** The command line itself cannot be understood. */
export const MISUSED = 2;

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The words of a command, taken apart. */
export interface Words {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Everything `--help` prints. */
  readonly help: string;
  readonly options: Options;
  /** @returns The exit status. @throws FlowError, which is printed and makes the status {@link REFUSED} */
  run(words: Words, io: Io): Promise<number>;
}

/** Options that every command has. */
const COMMON: Options = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } };

/** Runs a command over its words. */
export async function runCommand(name: string, command: Command, args: readonly string[], io: Io): Promise<number> {
  let words: Words;
  try {
    words = parseArgs({ args: [...args], options: { ...COMMON, ...command.options }, allowPositionals: true });
  } catch (caught) {
    io.err(`flow-host ${name}: ${(caught as Error).message.split(". ")[0]}\nflow-host ${name} --help says what it takes\n`);
    return MISUSED;
  }
  if (words.values["help"] === true) {
    io.out(`${command.help.trim()}\n`);
    return OK;
  }
  try {
    return await command.run(words, io);
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    if (caught.code === "usage") {
      io.err(`flow-host ${name}: ${caught.message}\nflow-host ${name} --help says what it takes\n`);
      return MISUSED;
    }
    io.err(words.values["json"] === true ? `${JSON.stringify(errorJson(caught))}\n` : `flow-host ${name}: ${errorText(caught)}\n`);
    return REFUSED;
  }
}

/** A value of an option that may be given several times. */
export function listOf(value: Words["values"][string]): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

export function misuse(message: string): FlowError {
  return new FlowError("usage", message);
}

/** An error with its code, and those it gathers. */
function errorText(error: FlowError): string {
  const place = typeof error.at === "string" ? "" : ` (${error.at.file}:${error.at.line}:${error.at.column})`;
  return `${error.message}${place} [${error.code}]`;
}

/** An error as `--json` prints it. */
export function errorJson(error: FlowError): Record<string, unknown> {
  const { code, message, at, offset, tool, errors } = error;
  return {
    code,
    message,
    at,
    ...(offset === undefined ? {} : { offset }),
    ...(tool === undefined ? {} : { tool }),
    ...(errors.length === 0 ? {} : { errors: errors.map(errorJson) }),
  };
}
