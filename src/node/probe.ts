/**
 * Probing a Tool process: whether it keeps to the protocol, in whatever language it is written. No author's code is
 * run: every call carries an argument that its declaration cannot have, and must come back as NotRun.
 */
import { DEEPEST_LIMIT, DEFAULT_LIMITS } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import { writeString } from "../json/write.ts";
import { type Description, readDescription } from "../protocol/description.ts";
import { callText, cancelText, describeText, type Message, readMessage, requestText } from "../protocol/messages.ts";
import { reasonOf } from "../protocol/outcome.ts";
import type { Channel } from "../protocol/session.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { openChild } from "./child.ts";
import { splitWords } from "./words.ts";

/** One thing that was tried. */
export interface ProbeStep {
  /** What is checked, in a few words. */
  readonly name: string;
  /** Whether it is as it should be. */
  readonly passed: boolean;
  /** The lines that were sent, and those that came back meanwhile. */
  readonly sent: readonly string[];
  /** The lines that came. */
  readonly received: readonly string[];
  /** What should have come, in a sentence. */
  readonly expected: string;
  /** What was wrong; empty where nothing was. */
  readonly why: string;
}

/** How a process is probed. */
export interface ProbeOptions {
  /** Milliseconds to wait for an answer; 10,000 by default. */
  readonly waitMs?: number;
  /** Told each line of standard error. */
  readonly log?: (line: string) => void;
}

/** A member no Flow parameter can be named, so that no declaration takes it. */
const FOREIGN_ARGUMENT = '{"flow-host probe":null}';
const RUN = "probe";

/** Probes a command and gives each step as it ends. @throws FlowError `command` for one that cannot be split into words */
export async function* probeProcess(command: string, cwd: string, options: ProbeOptions = {}): AsyncGenerator<ProbeStep, void> {
  const probe = new Probe(splitWords(command), cwd, options);
  try {
    yield* probe.steps();
  } finally {
    await probe.kill();
  }
}

class Probe {
  private readonly waitMs: number;
  private readonly channel: Channel;
  private readonly started: Promise<void>;
  private received: string[] = [];
  private sent: string[] = [];
  private ended: string | undefined;
  /** Woken by every line and by the end. */
  private wake: () => void = () => {};

  constructor(words: readonly string[], cwd: string, { waitMs = 10_000, log = () => {} }: ProbeOptions) {
    this.waitMs = waitMs;
    let ready: () => void = () => {};
    this.started = new Promise((resolve) => {
      ready = resolve;
    });
    const arrived = (line: string) => {
      this.received.push(line);
      this.wake();
    };
    this.channel = openChild(
      { words, cwd, env: undefined, limit: DEFAULT_LIMITS.bytes, closeMs: waitMs },
      {
        ready,
        log,
        message: arrived,
        malformed: (detail) => arrived(`(${detail})`),
        oversized: () => arrived("(a line past the size limit)"),
        closing() {},
        ended: (reason) => {
          this.ended = reason;
          ready();
          this.wake();
        },
      },
    );
  }

  kill(): Promise<void> {
    return this.ended === undefined ? this.channel.kill() : Promise.resolve();
  }

  async *steps(): AsyncGenerator<ProbeStep, void> {
    await this.started;
    let description: Description | undefined;
    yield await this.step("describe", `a response to request 1 with data ${DATA_VERSION} and the served declarations`, async () => {
      await this.send(describeText(1, DATA_VERSION));
      const result = await this.response("1");
      description = readDescription(parseJson(result, { depth: DEEPEST_LIMIT }));
      if (description.tools.length === 0) throw new Error("it serves nothing");
    });
    if (description === undefined) return;
    const [first] = description.tools as [Description["tools"][number], ...Description["tools"]];
    yield await this.step("unknown request", 'an error response -32601 with id "probe-2"', async () => {
      await this.send(requestText("probe-2", "flow-host/probe", "{}"));
      await this.error('"probe-2"', -32601);
    });
    yield await this.step("malformed line", "an error response -32700 with id null, and the process goes on", async () => {
      await this.send("{");
      await this.error("null", -32700);
    });
    for (const [i, { tool }] of description.tools.entries()) {
      yield await this.step(`arguments of ${tool}`, "NotRun: an undeclared argument does not decode, and no code ran", async () => {
        const ids = { run: RUN, call: `arguments-${i}` };
        await this.send(callText({ ...ids, tool, args: FOREIGN_ARGUMENT }));
        await this.notRun(ids.call);
      });
    }
    yield await this.step("unknown declaration", "NotRun", async () => {
      await this.send(callText({ run: RUN, call: "unknown", tool: "flow-host/probe.flow.unknown", args: "{}" }));
      await this.notRun("unknown");
    });
    yield await this.step("several calls at once", "one reply for each of three calls, in any order", async () => {
      const calls = ["a", "b", "c"];
      for (const call of calls) await this.send(callText({ run: RUN, call, tool: first.tool, args: FOREIGN_ARGUMENT }));
      for (const call of calls) await this.notRun(call);
    });
    yield await this.step("cancel of a call that is not open", "nothing, and the process goes on", async () => {
      await this.send(cancelText({ run: RUN, call: "nothing" }));
      await this.stillThere("after-cancel", first.tool);
    });
    yield await this.step("members a newer version may add", "the same as without them", async () => {
      const call = callText({ run: RUN, call: "newer", tool: first.tool, args: FOREIGN_ARGUMENT });
      await this.send(`${call.slice(0, -1)},"newer":{"a":[1]}}`);
      await this.notRun("newer");
    });
    yield await this.step("no reply twice", "nothing that was not asked for", async () => {
      await this.stillThere("last", first.tool);
      const unasked = this.received.filter((line) => line.startsWith("(") || readMessage(line).kind === "malformed");
      if (unasked.length > 0) throw new Error(`met ${unasked[0]}`);
    });
    yield await this.step("end of input", "the process ends by itself", async () => {
      const closing = this.channel.close();
      await this.until(() => this.ended !== undefined);
      await closing;
      if (!(this.ended as string).endsWith("status 0")) throw new Error(this.ended);
    });
  }

  private async step(name: string, expected: string, work: () => Promise<void>): Promise<ProbeStep> {
    this.sent = [];
    this.received = [];
    let why = "";
    try {
      await work();
    } catch (caught) {
      why = reasonOf(caught);
    }
    return { name, passed: why === "", sent: this.sent, received: this.received, expected, why };
  }

  private async send(line: string): Promise<void> {
    if (this.ended !== undefined) throw new Error(this.ended);
    this.sent.push(line);
    await this.channel.send(line);
  }

  private async response(id: string): Promise<string> {
    const message = await this.message((candidate) => candidate.kind === "response" && candidate.id === id);
    if (message.kind !== "response" || message.result === undefined) throw new Error("the response is an error");
    return message.result;
  }

  private async error(id: string, code: number): Promise<void> {
    const message = await this.message((candidate) => candidate.kind === "response" && candidate.id === id);
    const error = message.kind === "response" ? message.error : undefined;
    if (error === undefined || !error.includes(`"code":${code}`))
      throw new Error(`the response is ${error === undefined ? "a result" : error}`);
  }

  private async notRun(call: string): Promise<void> {
    const message = await this.message((candidate) => candidate.kind === "reply" && candidate.run === RUN && candidate.call === call);
    if (message.kind !== "reply" || message.reply.tag !== "NotRun") {
      throw new Error(`the reply is ${message.kind === "reply" ? message.reply.tag : "none"}`);
    }
    const again = this.received.filter((line) => line.includes(`"call":${writeString(call, DEFAULT_LIMITS)}`));
    if (again.length > 1) throw new Error("the call was answered twice");
  }

  /** A call that is answered shows that the process goes on. */
  private async stillThere(call: string, tool: string): Promise<void> {
    await this.send(callText({ run: RUN, call, tool, args: FOREIGN_ARGUMENT }));
    await this.notRun(call);
  }

  private async message(wanted: (message: Message) => boolean): Promise<Message> {
    let found: Message | undefined;
    await this.until(() => {
      for (const line of this.received) {
        const message = readMessage(line);
        if (wanted(message)) found = message;
      }
      return found !== undefined;
    });
    return found as Message;
  }

  /** Waits for a condition that lines or the end may bring about. */
  private async until(holds: () => boolean): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.wake();
    }, this.waitMs);
    try {
      while (!holds()) {
        if (late) throw new Error(`nothing came within ${this.waitMs} ms`);
        if (this.ended !== undefined) throw new Error(this.ended);
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
