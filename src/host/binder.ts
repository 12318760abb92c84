/** Binding a program's Tools before its run starts (*Binding*): all of them, or none. */
import { FlowError, isFlowError } from "../json/errors.ts";
import type { Binding } from "../protocol/binding.ts";
import { type Description, requireFit } from "../protocol/description.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import type { ToolEntry } from "../signature/tools.ts";
import { Dispatcher } from "./dispatch.ts";

/** Overrides by a declaration's identity: the first of the bindings that count. */
export type Bindings = Readonly<Record<string, Binding>> | ReadonlyMap<string, Binding>;

/**
 * Finds the binding a declaration has without an override.
 * @param base Where the program's local sources lie, where the run names it.
 */
export type Configured = (tool: ToolEntry, base: string | undefined) => Binding | undefined | Promise<Binding | undefined>;

export interface BinderOptions {
  readonly describeMs: number;
  /** Whether an implementation may be started for a declaration at all. Anything but `true` refuses, a string with its reason. */
  readonly mayStart: ((tool: string, binding: Binding) => boolean | string | Promise<boolean | string>) | undefined;
  /** The binding a declaration has without an override: that of its `flow.toml`. */
  readonly configured: Configured | undefined;
  /** Told of every binding before it is started, so that what it says while it starts is heard and it is ended later. */
  readonly using: (binding: Binding) => void;
}

/** The implementations of a program's Tools. A binding that serves several of them has one queue. */
export class Binder {
  private readonly options: BinderOptions;
  private readonly dispatchers = new Map<Binding, Dispatcher>();

  constructor(options: BinderOptions) {
    this.options = options;
  }

  /** Every queue that was made, for as long as the host lives. */
  dispatcherOf(binding: Binding): Dispatcher {
    let dispatcher = this.dispatchers.get(binding);
    if (dispatcher === undefined) {
      dispatcher = new Dispatcher(binding);
      this.dispatchers.set(binding, dispatcher);
    }
    return dispatcher;
  }

  /**
   * Binds and describes every Tool.
   * @throws FlowError `refused` with every Tool that cannot be bound in `errors`, each with its own code: `unbound`,
   *   `policy`, `not-served`, `fingerprint`, `version`, `shape`, `import`, `start`, or a configuration error's.
   */
  async bind(tools: readonly ToolEntry[], overrides: Bindings, base?: string): Promise<ReadonlyMap<string, Dispatcher>> {
    const faults: FlowError[] = [];
    const bound = new Map<string, Dispatcher>();
    const described = new Map<Binding, Promise<Description>>();
    const results = tools.map(async (entry) => {
      try {
        const binding = await this.bindingOf(entry, overrides, base);
        await this.requireAllowed(entry, binding);
        let description = described.get(binding);
        if (description === undefined) {
          description = this.describe(binding);
          described.set(binding, description);
        }
        requireFit(await description, entry.tool, entry.fingerprint);
        bound.set(entry.tool, this.dispatcherOf(binding));
      } catch (caught) {
        faults.push(faultOf(entry.tool, caught));
      }
    });
    await Promise.all(results);
    if (faults.length === 0) return bound;
    // In the order of the program, whichever answered first.
    const order = new Map(tools.map((entry, i) => [entry.tool, i]));
    faults.sort((a, b) => (order.get(a.tool as string) as number) - (order.get(b.tool as string) as number));
    throw refused(faults);
  }

  private async bindingOf(entry: ToolEntry, overrides: Bindings, base: string | undefined): Promise<Binding> {
    const override =
      overrides instanceof Map ? overrides.get(entry.tool) : ownBinding(overrides as Readonly<Record<string, Binding>>, entry.tool);
    const binding = override ?? (await this.options.configured?.(entry, base));
    if (binding === undefined) throw new FlowError("unbound", `no implementation is bound to ${entry.tool}`);
    return binding;
  }

  private async requireAllowed(entry: ToolEntry, binding: Binding): Promise<void> {
    const answer = (await this.options.mayStart?.(entry.tool, binding)) ?? true;
    if (answer === true) return;
    const why = typeof answer === "string" ? `: ${answer}` : "";
    throw new FlowError("policy", `the host's policy does not let ${binding.title} answer ${entry.tool}${why}`);
  }

  private async describe(binding: Binding): Promise<Description> {
    const { describeMs, using } = this.options;
    using(binding);
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        controller.abort();
        reject(new FlowError("start", `${binding.title} did not describe itself within ${describeMs} ms`));
      }, describeMs);
    });
    try {
      return await Promise.race([binding.describe(DATA_VERSION, controller.signal), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function ownBinding(overrides: Readonly<Record<string, Binding>>, tool: string): Binding | undefined {
  return Object.hasOwn(overrides, tool) ? overrides[tool] : undefined;
}

function faultOf(tool: string, caught: unknown): FlowError {
  if (!isFlowError(caught))
    return new FlowError("start", `the implementation of ${tool} did not start: ${reasonOf(caught)}`, { tool, cause: caught });
  return new FlowError(caught.code, caught.message, { tool, at: caught.at, cause: caught.cause ?? caught });
}

/** One error for a run that does not start, with every reason. */
export function refused(faults: readonly FlowError[]): FlowError {
  const list = faults.map((fault) => `\n  ${fault.code}: ${fault.message}${fault.tool === undefined ? "" : ` (${fault.tool})`}`).join("");
  return new FlowError("refused", `the run was refused before it started:${list}`, { errors: faults });
}
