/**
 * What the page and its runner say to each other. The runner is a Worker with the host, the bindings and the program in it,
 * so that no program can keep the page from answering; only texts, numbers and compiled modules cross.
 */
import type { Transpiled } from "../transpiler/messages.ts";

/** What a Tool can be made to do wrong. */
export type Fault = "late" | "twice" | "never" | "constructor" | "limit" | "crash" | "lost";

export interface ToolSetup {
  /** Which implementation is bound. */
  readonly kind: "function" | "component" | "dropped" | "worker" | "url";
  /** Of a function and of a Worker: its module as JavaScript. */
  readonly source?: string;
  readonly url?: string;
  /** Of a dropped component: its id. */
  readonly component?: string;
  readonly fault?: Fault;
}

/** A component that was dropped on the page. */
export interface DroppedComponent extends Transpiled {
  /** Another one for each drop: what was built anew under the same name is another component. */
  readonly id: string;
  /** The file's name. */
  readonly name: string;
}

/** What is bound to what. */
export interface Setup {
  /** The `tools` output of the program's declarations. */
  readonly tools: string;
  /** By identity. */
  readonly bindings: Readonly<Record<string, ToolSetup>>;
}

/** What begins a run. */
export type RunStart =
  | {
      readonly kind: "run";
      readonly run: string;
      readonly setup: Setup;
      /** The program's module as JavaScript. */
      readonly program: string;
    }
  | { readonly kind: "replay"; readonly run: string; readonly setup: Setup; readonly program: string; readonly history: string }
  | {
      readonly kind: "fork";
      readonly run: string;
      readonly setup: Setup;
      readonly program: string;
      readonly history: string;
      readonly at: string;
      /** In place of the program's own, JSON text. */
      readonly args?: string;
    }
  /** One call, on behalf of a person. */
  | { readonly kind: "call"; readonly run: string; readonly setup: Setup; readonly tool: string; readonly args: string };

export type Request =
  | RunStart
  | { readonly kind: "cancel"; readonly run: string }
  /** Keeps a component for the runs to come. */
  | { readonly kind: "component"; readonly component: DroppedComponent }
  /** Asks a component what it serves. */
  | { readonly kind: "describe"; readonly component: string };

/** Times are milliseconds since 1970, with a fraction: two Workers' clocks have one origin then. */
export type RunEvent =
  | {
      readonly kind: "call";
      readonly call: string;
      readonly tool: string;
      readonly binding: string;
      readonly args: string;
      readonly at: number;
    }
  | { readonly kind: "settle"; readonly call: string; readonly tag: OutcomeTag; readonly text: string; readonly at: number }
  | { readonly kind: "drop"; readonly call: string | undefined; readonly why: string; readonly detail: string; readonly at: number }
  | { readonly kind: "restart"; readonly binding: string; readonly reason: string; readonly at: number }
  | { readonly kind: "log"; readonly line: string; readonly at: number };

export type OutcomeTag = "Ok" | "Failed" | "NotRun" | "Unknown" | "BadReply";

/** Why something was refused. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly tool?: string;
}

/** How a run ended. */
export type Ending =
  /** `result` is what the program returned, as text. */
  | { readonly status: "done"; readonly result: string }
  /** It threw, or was stopped by a fault of its own. */
  | { readonly status: "threw"; readonly reasons: readonly Reason[] }
  /** It did not start. */
  | { readonly status: "refused"; readonly reasons: readonly Reason[] }
  | { readonly status: "same" }
  | { readonly status: "diverged"; readonly reasons: readonly Reason[] }
  | { readonly status: "incomplete" };

export type Answer =
  | { readonly kind: "ready" }
  /** In the order in which they happened. A run that has ended may still have replies come late. */
  | { readonly kind: "events"; readonly run: string; readonly events: readonly RunEvent[] }
  | { readonly kind: "end"; readonly run: string; readonly ending: Ending; readonly history: string }
  /** What a component serves, as JSON text of its description, or why it says nothing. */
  | { readonly kind: "described"; readonly component: string; readonly description: string }
  | { readonly kind: "undescribed"; readonly component: string; readonly reason: Reason };
