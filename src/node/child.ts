/**
 * A child process that takes and gives lines: started without a shell, in a process group of its own, and ended with
 * all of it.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { FlowError } from "../json/errors.ts";
import { LineReader } from "../protocol/lines.ts";
import { reasonOf } from "../protocol/outcome.ts";
import type { Channel, Inlet } from "../protocol/session.ts";

export interface ChildSettings {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The environment; this process's own by default. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined;
  /** The most bytes of one line that is kept. */
  readonly limit: number;
  /** Milliseconds between the end of its input, SIGTERM and SIGKILL. */
  readonly closeMs: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Processes that have a group of their own end with those that they started themselves. */
const HAS_GROUPS = process.platform !== "win32";
/** How long what a dead process wrote is still read, should others hold its output open. */
const DRAIN_MS = 1_000;
/** A longer line of standard error is cut. */
const LONGEST_LOG_LINE = 4_096;

/**
 * Starts a process.
 * @throws FlowError `permission` where the runtime may not start it
 */
export function openChild(settings: ChildSettings, inlet: Inlet): Channel {
  const [program, ...args] = settings.words as [string, ...string[]];
  requirePermission(program);
  const { cwd, env = process.env } = settings;
  const child: Child = spawn(program, args, { cwd, env: { ...env }, stdio: ["pipe", "pipe", "pipe"], detached: HAS_GROUPS });
  return new ChildChannel(child, settings, inlet);
}

class ChildChannel implements Channel {
  private readonly child: Child;
  private readonly settings: ChildSettings;
  private readonly inlet: Inlet;
  private readonly gone: Promise<void>;
  private readonly exited: Promise<void>;
  private hasExited = false;

  constructor(child: Child, settings: ChildSettings, inlet: Inlet) {
    this.child = child;
    this.settings = settings;
    this.inlet = inlet;
    child.once("spawn", () => inlet.ready());
    child.stdin.on("error", (error) => this.broken(`its standard input broke: ${reasonOf(error)}`));
    this.readLines();
    this.readLog();
    this.exited = new Promise((resolve) => {
      child.once("exit", () => {
        this.hasExited = true;
        resolve();
      });
      child.once("error", () => resolve());
    });
    this.gone = this.whenGone();
  }

  send(text: string): Promise<void> {
    // The callback comes once the system has the bytes, or will never have them; which of the two, an end tells (row 6
    // of docs/outcomes.md). After a failure nothing more may be begun, or it would count as begun.
    return new Promise((resolve) => {
      this.child.stdin.write(`${text}\n`, (error) => {
        if (error) this.inlet.closing(`its standard input broke: ${reasonOf(error)}`);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.exitsWithin(this.settings.closeMs)) break;
      this.signal(signal);
    }
    await this.gone;
  }

  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.gone;
  }

  private readLines(): void {
    const { child, inlet, settings } = this;
    const lines = new LineReader(settings.limit, {
      line: (text) => inlet.message(text),
      malformed: (detail) => inlet.malformed(detail),
      oversized: (message) => inlet.oversized(message),
    });
    child.stdout.on("data", (chunk: Uint8Array) => lines.push(chunk));
    child.stdout.once("end", () => {
      lines.end();
      this.broken("it closed its standard output");
    });
    child.stdout.on("error", (error) => this.broken(`its standard output broke: ${reasonOf(error)}`));
  }

  private readLog(): void {
    const { stderr } = this.child;
    let held = "";
    stderr.setEncoding("utf8");
    stderr.on("data", (text: string) => {
      const lines = (held + text).split("\n");
      held = (lines.pop() as string).slice(0, LONGEST_LOG_LINE);
      for (const line of lines) this.inlet.log(line.slice(0, LONGEST_LOG_LINE));
    });
    stderr.once("end", () => {
      if (held !== "") this.inlet.log(held);
    });
    stderr.on("error", () => {});
  }

  /** A process whose pipe is broken can't be worked with. Most often it is about to end, and then how it ended says more. */
  private async broken(reason: string): Promise<void> {
    // One that was never started has no pipes to break; why it was not, its error says.
    if (this.child.pid === undefined) return;
    this.inlet.closing(reason);
    if (!(await this.exitsWithin(DRAIN_MS))) await this.kill();
  }

  /** Tells of the process's end once everything it wrote has been read, and takes what is left of its group with it. */
  private whenGone(): Promise<void> {
    const { child, inlet } = this;
    return new Promise((resolve) => {
      const end = (reason: string) => {
        this.signal("SIGKILL");
        inlet.ended(reason);
        resolve();
      };
      child.once("error", async (error) => {
        // Both a missing program and a missing directory are ENOENT.
        const { cwd } = this.settings;
        const isDirectory = await stat(cwd).then(
          (found) => found.isDirectory(),
          () => false,
        );
        if (child.pid === undefined)
          end(isDirectory ? `it could not be started: ${reasonOf(error)}` : `the directory ${cwd} does not exist`);
      });
      child.once("exit", (status, signal) => {
        const reason = signal === null ? `it ended with status ${status}` : `it ended with ${signal}`;
        inlet.closing(reason);
        child.stdin.destroy();
        // What it started itself may hold its output open for ever.
        const drain = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        }, DRAIN_MS);
        child.once("close", () => {
          clearTimeout(drain);
          end(reason);
        });
      });
    });
  }

  private async exitsWithin(milliseconds: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.exited, late]);
    clearTimeout(timer);
    return this.hasExited || this.child.pid === undefined;
  }

  /** Signals the process and those it started. */
  private signal(name: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (HAS_GROUPS) process.kill(-pid, name);
      else if (!this.hasExited) this.child.kill(name);
    } catch {
      // Nobody is left, or the runtime gave it no group of its own.
      if (!this.hasExited) this.child.kill(name);
    }
  }
}

interface DenoLike {
  readonly permissions: { querySync(what: { readonly name: "run"; readonly command: string }): { readonly state: string } };
}

/** @throws FlowError `permission`, with what to grant */
function requirePermission(program: string): void {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  if (deno !== undefined && deno.permissions.querySync({ name: "run", command: program }).state !== "granted") {
    throw new FlowError("permission", `Deno may not start ${program} here; grant it with --allow-run=${program}`);
  }
  const { permission } = process as { permission?: { has(scope: string): boolean } };
  if (permission?.has("child") === false) {
    throw new FlowError("permission", `Node may not start ${program} here; grant it with --allow-child-process`);
  }
}
