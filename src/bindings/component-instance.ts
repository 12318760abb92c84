/**
 * One instance of a transpiled component, in the thread it runs in. It is entered once at a time, and what stopped in it
 * stays stopped: after a trap its memory is half-changed and so is the state that the glue keeps.
 *
 * Also runs inside of Workers, where nothing decodes: it imports as little as it can.
 */
import { FlowError, isFlowError } from "../json/errors.ts";
import { malformed, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";

/** A type of the platform's `WebAssembly`, or any object where only Node's types are there: they know no WebAssembly. */
type Wasm<Name extends "Module" | "Instance"> = typeof globalThis extends { WebAssembly: Record<Name, { prototype: infer T }> }
  ? T
  : object;

/** `instantiate` as jco's glue exports it (`--instantiation async`). */
export type Instantiate = (
  getCoreModule: GetCoreModule,
  imports: Readonly<Record<string, unknown>>,
  instantiateCore?: (module: Wasm<"Module">, imports?: object) => Promise<Wasm<"Instance">>,
) => unknown;

/** Gives a core module by the name of its file, compiled. */
export type GetCoreModule = (path: string) => Wasm<"Module"> | Promise<Wasm<"Module">>;

/** `call` of the interface. */
export interface CallRecord {
  readonly run: string;
  readonly call: string;
  readonly tool: string;
  readonly args: string;
  readonly schema: string | undefined;
  readonly types: string | undefined;
}

/** `description` of the interface, as the component gave it and nobody has checked it. */
export interface DescriptionRecord {
  readonly data: string;
  readonly served: readonly { readonly tool: string; readonly fingerprint: string; readonly signature: string }[];
}

interface ToolInterface {
  describe(data: string): DescriptionRecord;
  answer(call: CallRecord): { readonly tag: string; readonly val: unknown };
}

/** The interface of the WIT world, whose other versions are other interfaces. */
export const INTERFACE = "flow:tool/tool@0.1.0";
const ANSWER = `${INTERFACE}#answer`;

/** What an instance is made of. */
export interface ComponentParts {
  readonly instantiate: Instantiate;
  readonly getCoreModule: GetCoreModule;
  /** What it may import, by interface. */
  readonly imports: Readonly<Record<string, unknown>>;
}

/** An instance that has described itself. */
export class ComponentInstance {
  /** Why it stopped. */
  stopped: string | undefined;
  readonly described: DescriptionRecord;
  private readonly tool: ToolInterface;
  private readonly progress: Progress;

  private constructor(tool: ToolInterface, described: DescriptionRecord, progress: Progress) {
    this.tool = tool;
    this.described = described;
    this.progress = progress;
  }

  /**
   * Makes an instance and has it describe itself.
   * @throws FlowError `import`, `shape` or `start`
   */
  static async start({ instantiate, getCoreModule, imports }: ComponentParts, data: string): Promise<ComponentInstance> {
    const progress: Progress = { returned: false };
    let exported: unknown;
    try {
      exported = await instantiate(getCoreModule, grantedOnly(imports), (module, needed) => watched(module, needed, progress));
    } catch (caught) {
      if (isFlowError(caught)) throw caught;
      throw new FlowError("start", `the component could not be instantiated: ${reasonOf(caught)}`, { cause: caught });
    }
    const tool = toolInterface(exported);
    try {
      return new ComponentInstance(tool, tool.describe(data), progress);
    } catch (caught) {
      throw new FlowError("start", `the component stopped while it described itself: ${reasonOf(caught)}`, { cause: caught });
    }
  }

  /** Answers a call. Where {@link stopped} is set afterwards, the instance has ended with it. */
  answer(call: CallRecord): Reply {
    this.progress.returned = false;
    try {
      return readAnswer(this.tool.answer(call));
    } catch (thrown) {
      this.stopped = reasonOf(thrown);
      // Once its code has come to its end, what fails is reading what it answered: text that is not UTF-8, a place outside
      // of its memory, an outcome of no known case.
      return this.progress.returned && !(thrown instanceof WebAssembly.RuntimeError)
        ? malformed(`the component's answer cannot be read: ${this.stopped}`)
        : unknown(`the component stopped: ${this.stopped}`);
    }
  }
}

/** Whether the component's own code came to the end of the last call. The glue's code before and after it is not told apart otherwise. */
interface Progress {
  returned: boolean;
}

async function watched(module: WebAssembly.Module, imports: object | undefined, progress: Progress): Promise<WebAssembly.Instance> {
  const instance = await WebAssembly.instantiate(module, imports as WebAssembly.Imports | undefined);
  const answer = instance.exports[ANSWER];
  if (typeof answer !== "function") return instance;
  const watchedAnswer = (...parts: unknown[]): unknown => {
    const result: unknown = answer(...parts);
    progress.returned = true;
    return result;
  };
  return { exports: { ...instance.exports, [ANSWER]: watchedAnswer } };
}

/** Answers with what was granted, and refuses everything else by its name at the moment the glue asks for it. */
function grantedOnly(granted: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return new Proxy(granted, {
    get(target, name) {
      if (typeof name !== "string") return undefined;
      const members = Object.hasOwn(target, name) ? target[name] : undefined;
      if (typeof members === "object" && members !== null) return membersOnly(name, members);
      if (members !== undefined) return members;
      throw new FlowError("import", `the component imports ${name}, which this host does not provide`);
    },
  });
}

/** The same for what an interface has in it: a host may provide a part of one. */
function membersOnly(name: string, members: object): object {
  return new Proxy(members, {
    get(target, member) {
      const found: unknown = Reflect.get(target, member);
      if (found !== undefined || typeof member !== "string") return found;
      throw new FlowError("import", `the component imports ${member} of ${name}, which this host does not provide`);
    },
  });
}

function toolInterface(exported: unknown): ToolInterface {
  const found = (exported as Record<string, unknown> | null | undefined)?.[INTERFACE] as Partial<ToolInterface> | undefined;
  if (typeof found?.describe === "function" && typeof found.answer === "function") return found as ToolInterface;
  const others = Object.keys(Object(exported)).filter((name) => name.includes(":"));
  throw new FlowError(
    "shape",
    `the component does not export describe and answer of ${INTERFACE}; it exports ${others.join(", ") || "no interface"}`,
  );
}

function readAnswer({ tag, val }: { readonly tag: string; readonly val: unknown }): Reply {
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
