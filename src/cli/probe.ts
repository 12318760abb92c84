/** `flow-host probe`: does a process keep to the protocol? */
import { probeProcess } from "../node/probe.ts";
import { type Command, misuse, OK, REFUSED } from "./command.ts";
import { visible } from "./visible.ts";

export const probeCommand: Command = {
  summary: "check a Tool process against the protocol",
  help: `
Usage: flow-host probe COMMAND [options]

Starts a Tool process, in whatever language it is written, and checks what it answers: describe and its shapes, errors,
several calls at once, cancel, end of input. No author's code is run: every call carries an argument that its declaration
cannot have. A line for each check; for those that fail, what was sent, received and expected.

  COMMAND          one word, split as a POSIX shell splits it; it is started without a shell, in this directory
  --wait MS        milliseconds to wait for an answer (10000)
  -v, --verbose    print the lines of the checks that pass as well, and the process's standard error
  --json           print each check as JSON, one a line
`,
  options: { wait: { type: "string" }, verbose: { type: "boolean", short: "v" } },
  async run({ values, positionals }, io) {
    const [command, ...rest] = positionals;
    if (command === undefined || rest.length > 0) throw misuse('name one command; put it in quotes: flow-host probe "node tool.mjs"');
    const waitMs = Number(values["wait"] ?? 10_000);
    if (!Number.isSafeInteger(waitMs) || waitMs < 1) throw misuse(`expected --wait as whole milliseconds, met ${values["wait"]}`);
    const verbose = values["verbose"] === true;
    const log = (line: string) => {
      if (verbose) io.err(`  | ${line}\n`);
    };
    let failed = 0;
    let passed = 0;
    for await (const step of probeProcess(command, io.cwd, { waitMs, log })) {
      if (step.passed) passed++;
      else failed++;
      if (values["json"] === true) io.out(`${JSON.stringify(step)}\n`);
      else {
        io.out(`${step.passed ? "ok    " : "FAILED"} ${step.name}${step.passed ? "" : `: ${visible(step.why)}`}\n`);
        if (verbose || !step.passed) {
          for (const line of step.sent) io.out(`       sent      ${line}\n`);
          for (const line of step.received) io.out(`       received  ${visible(line)}\n`);
          if (!step.passed) io.out(`       expected  ${step.expected}\n`);
        }
      }
    }
    if (values["json"] !== true) io.out(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? OK : REFUSED;
  },
};
