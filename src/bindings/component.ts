/**
 * A WebAssembly component as a Tool (the WIT world `flow:tool/tool-component`). It is handed over transpiled: the glue's
 * `instantiate` and a function that gives its compiled core modules, so that nothing is compiled or fetched here and
 * it runs where compiling is forbidden.
 */
import { FlowError, isFlowError } from "../json/errors.ts";
import { parseJson } from "../json/read.ts";
import { type JsonValue, jsonObject } from "../json/value.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import { type Description, readDescription, requireFit } from "../protocol/description.ts";
import { Listeners } from "../protocol/events.ts";
import { malformed, notRun, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";

/** `instantiate` as jco's glue exports it (`--instantiation async`). */
export type Instantiate = (
  getCoreModule: (path: string) => WebAssembly.Module | Promise<WebAssembly.Module>,
  imports: Readonly<Record<string, unknown>>,
) => unknown;

/** Gives a core module by the name of its file, compiled. */
export type GetCoreModule = (path: string) => WebAssembly.Module | Promise<WebAssembly.Module>;

export interface ComponentOptions {
  /** What the component may import, by the name of the interface; everything else refuses the binding. */
  readonly imports?: Readonly<Record<string, unknown>>;
  readonly title?: string;
}

/** The exports of interface `flow:tool/tool@0.1.0`. */
interface ToolInterface {
  describe(data: string): { readonly data: string; readonly served: readonly ServedRecord[] };
  answer(call: CallRecord): { readonly tag: string; readonly val: unknown };
}

interface ServedRecord {
  readonly tool: string;
  readonly fingerprint: string;
  readonly signature: string;
}

interface CallRecord {
  readonly run: string;
  readonly call: string;
  readonly tool: string;
  readonly args: string;
  readonly schema: string | undefined;
  readonly types: string | undefined;
}

const INTERFACE = "flow:tool/tool@0.1.0";

/** An instance that answered describe, with what it answered. */
interface Instance {
  readonly tool: ToolInterface;
  readonly description: Description;
}

/** Binds a transpiled component. Instances are made on demand; one that trapped is never used again. */
export function bindComponent(instantiate: Instantiate, getCoreModule: GetCoreModule, options: ComponentOptions = {}): Binding {
  return new ComponentBinding(instantiate, getCoreModule, options);
}

class ComponentBinding implements Binding {
  readonly title: string;
  private readonly instantiate: Instantiate;
  private readonly getCoreModule: GetCoreModule;
  private readonly imports: Readonly<Record<string, unknown>>;
  private readonly listeners = new Listeners();
  private data = "";
  private instance: Promise<Instance> | undefined;
  private trapped: string | undefined;

  constructor(instantiate: Instantiate, getCoreModule: GetCoreModule, options: ComponentOptions) {
    this.instantiate = instantiate;
    this.getCoreModule = getCoreModule;
    this.imports = options.imports ?? {};
    this.title = options.title ?? "component";
  }

  async describe(data: string): Promise<Description> {
    this.data = data;
    return (await this.running()).description;
  }

  async call(message: CallMessage): Promise<Reply> {
    const restarting = this.trapped;
    let instance: Instance;
    try {
      instance = await this.running();
      if (restarting !== undefined) requireFit(instance.description, message.tool, message.fingerprint);
    } catch (caught) {
      return notRun(`the component could not be started again: ${reasonOf(caught)}`);
    }
    const { run, call, tool, args, schema, types } = message;
    try {
      return readAnswer(instance.tool.answer({ run, call, tool, args, schema, types }));
    } catch (thrown) {
      // A trap leaves memory half-changed and the glue's own state behind: the instance ends with the call.
      this.drop(reasonOf(thrown));
      return unknown(`the component stopped: ${reasonOf(thrown)}`);
    }
  }

  /** A call runs to its end before anything else does; in this thread there is nobody to ask. */
  cancel(_ids: CallIds): void {}

  abandon(_ids: CallIds): void {}

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.instance = undefined;
  }

  /** The instance in use, or a new one that has answered describe. */
  private running(): Promise<Instance> {
    if (this.instance === undefined) {
      const starting = this.start();
      this.instance = starting;
      starting.then(
        () => {
          if (this.trapped !== undefined) this.listeners.restarted(this.trapped);
          this.trapped = undefined;
        },
        () => {
          if (this.instance === starting) this.instance = undefined;
        },
      );
    }
    return this.instance;
  }

  private drop(reason: string): void {
    this.instance = undefined;
    this.trapped = reason;
  }

  private async start(): Promise<Instance> {
    let exported: unknown;
    try {
      exported = await this.instantiate(this.getCoreModule, grantedOnly(this.imports));
    } catch (caught) {
      if (isFlowError(caught)) throw caught;
      throw new FlowError("start", `the component could not be instantiated: ${reasonOf(caught)}`, { cause: caught });
    }
    const tool = toolInterface(exported);
    let described: ReturnType<ToolInterface["describe"]>;
    try {
      described = tool.describe(this.data);
    } catch (caught) {
      throw new FlowError("start", `the component stopped while it described itself: ${reasonOf(caught)}`, { cause: caught });
    }
    return { tool, description: readDescription(descriptionJson(described)) };
  }
}

/** Answers with what was granted, and refuses everything else by its name at the moment the glue asks for it. */
function grantedOnly(granted: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return new Proxy(granted, {
    get(target, name) {
      if (typeof name !== "string" || Object.hasOwn(target, name)) return Reflect.get(target, name);
      throw new FlowError("import", `the component imports ${name}, which this host does not provide`);
    },
  });
}

function toolInterface(exported: unknown): ToolInterface {
  const found = (exported as Record<string, unknown> | null | undefined)?.[INTERFACE] as Partial<ToolInterface> | undefined;
  if (typeof found?.describe !== "function" || typeof found.answer !== "function") {
    throw new FlowError("shape", `the component does not export describe and answer of ${INTERFACE}`);
  }
  return found as ToolInterface;
}

/** The description with its signatures read; what the component wrote as their text must be JSON. */
function descriptionJson(described: ReturnType<ToolInterface["describe"]>): JsonValue {
  const tools = described.served.map(({ tool, fingerprint, signature }, i) => {
    try {
      return jsonObject({ tool, fingerprint, signature: parseJson(signature) });
    } catch (cause) {
      const at = `/tools/${i}/signature`;
      throw new FlowError("shape", `a description that is not well formed: the signature of ${tool} is no JSON`, { at, cause });
    }
  });
  return jsonObject({ data: described.data, tools });
}

function readAnswer(answer: { readonly tag: string; readonly val: unknown }): Reply {
  const { tag, val } = answer;
  if (typeof val !== "string") return malformed("an outcome of a component carries a string");
  switch (tag) {
    case "ok":
      return { tag: "Ok", text: val };
    case "failed":
      return { tag: "Failed", text: val };
    case "not-run":
      return { tag: "NotRun", reason: val, from: "tool" };
    case "unknown":
      return { tag: "Unknown", reason: val, from: "tool" };
    default:
      return malformed(`an outcome is ok, failed, not-run or unknown, met ${JSON.stringify(tag)}`);
  }
}
