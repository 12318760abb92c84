/** What a host tells those who watch it. Nobody who watches can disturb a run. */
import type { Dropped } from "../protocol/binding.ts";
import { type Outcome, reasonOf } from "../protocol/outcome.ts";

/** A call that goes out. */
export interface CallEvent {
  /** The run's id. */
  readonly run: string;
  /** The call's id. */
  readonly call: string;
  /** The identity of the declaration. */
  readonly tool: string;
  /** What kind of implementation answers: `function`, `component`, … */
  readonly binding: string;
  /** Canonical text of the arguments. */
  readonly args: string;
  /** Milliseconds of the host's clock. */
  readonly at: number;
}

/** A call that has its outcome. */
export interface SettleEvent {
  /** The run's id. */
  readonly run: string;
  /** The call's id. */
  readonly call: string;
  /** The identity of the declaration. */
  readonly tool: string;
  /** The outcome, as the program gets it. */
  readonly outcome: Outcome;
  /** Canonical text of the outcome, as a history holds it; written when first asked for. */
  readonly text: () => string;
  /** Milliseconds of the host's clock. */
  readonly at: number;
}

export interface DropEvent extends Dropped {
  /** The binding the message came from. */
  readonly binding: string;
}

/** An implementation that was started again. */
export interface RestartEvent {
  /** The title of its binding. */
  readonly binding: string;
  /** Why the implementation had ended. */
  readonly reason: string;
}

/** Each hook is optional, and costs nothing where it is absent. */
export interface Hooks {
  /** A call was recorded and goes out, or into the queue of its binding. */
  readonly onCall?: (event: CallEvent) => void;
  /** A call has its outcome. */
  readonly onSettle?: (event: SettleEvent) => void;
  /** A message was dropped and changed nothing. */
  readonly onDrop?: (event: DropEvent) => void;
  /** An implementation that had ended was started again. */
  readonly onRestart?: (event: RestartEvent) => void;
  /** One line of the host's log. */
  readonly log?: (line: string) => void;
}

/** The hooks of one host, guarded: a hook that throws is reported once, in the log or on the console, and ignored. */
export class GuardedHooks {
  private readonly hooks: Hooks;
  private readonly faulty = new Set<keyof Hooks>();

  constructor(hooks: Hooks) {
    this.hooks = hooks;
  }

  /** Whether anybody listens, so that an event nobody wants is not made. */
  wants(name: keyof Hooks): boolean {
    return this.hooks[name] !== undefined;
  }

  call(event: CallEvent): void {
    this.tell("onCall", event);
  }

  settle(event: SettleEvent): void {
    this.tell("onSettle", event);
  }

  drop(event: DropEvent): void {
    this.tell("onDrop", event);
  }

  restart(event: RestartEvent): void {
    this.tell("onRestart", event);
  }

  log(line: string): void {
    this.tell("log", line);
  }

  private tell(name: keyof Hooks, event: unknown): void {
    const hook = this.hooks[name] as ((event: unknown) => void) | undefined;
    if (hook === undefined) return;
    try {
      hook(event);
    } catch (thrown) {
      if (this.faulty.has(name)) return;
      this.faulty.add(name);
      const line = `flow-host: the hook ${name} threw and is ignored from here on where it throws: ${reasonOf(thrown)}`;
      if (name === "log") console.error(line);
      else this.log(line);
    }
  }
}
