/** `flow-host`: the list of commands, and which of them the words ask for. */
import { checkCommand } from "./check.ts";
import { type Command, type Io, MISUSED, OK, runCommand } from "./command.ts";
import { componentCommand } from "./component.ts";
import { contractCommand } from "./contract.ts";
import { fingerprintCommand } from "./fingerprint.ts";
import { probeCommand } from "./probe.ts";
import { runProgramCommand } from "./run.ts";
import { toolkitCommand } from "./toolkit.ts";
import { toolsCommand } from "./tools.ts";
import { visible, visibleLine } from "./visible.ts";

/** In the order in which they are listed. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  tools: toolsCommand,
  toolkit: toolkitCommand,
  fingerprint: fingerprintCommand,
  check: checkCommand,
  run: runProgramCommand,
  probe: probeCommand,
  component: componentCommand,
  contract: contractCommand,
};

/** Runs the command line. @returns the exit status */
export async function main(args: readonly string[], terminal: Io): Promise<number> {
  const io = forPeople(terminal);
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const print = name === undefined ? io.err : io.out;
    print(overview());
    return name === undefined ? MISUSED : OK;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    io.err(`flow-host: there is no command ${JSON.stringify(name)}\n\n${overview()}`);
    return MISUSED;
  }
  return runCommand(name, command, rest, io);
}

/** Standard error and questions are for people; what standard output holds each command knows. */
function forPeople(io: Io): Io {
  const { ask } = io;
  return { ...io, err: (text) => io.err(visible(text)), ask: ask && ((question) => ask(visibleLine(question))) };
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `Usage: flow-host COMMAND ...\n\n${lines.join("")}\nflow-host COMMAND --help says what a command takes.\n`;
}
