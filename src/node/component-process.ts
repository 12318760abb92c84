/**
 * A component in a process of its own, which can be ended whatever the component does: where a Worker that loops cannot be
 * (Deno, Bun), and wherever its memory is to be the system's to take back. `flow-host component build` bundles this with a
 * component's glue to the component's `process.js`; `bindProcess` binds that.
 */
import { type CallRecord, ComponentInstance, type GetCoreModule, type Instantiate } from "../bindings/component-instance.ts";
import { descriptionJson } from "../bindings/component-keeper.ts";
import { grantWasi, type WasiGrants } from "../bindings/component-wasi.ts";
import { FlowError } from "../json/errors.ts";
import { parseJson } from "../json/read.ts";
import { canonicalText } from "../json/write.ts";
import { reasonText } from "../protocol/messages.ts";
import { outcomeText, type Reply, reasonOf } from "../protocol/outcome.ts";
import type { ServedCall, Toolset } from "../protocol/toolset.ts";
import { signatureText } from "../signature/signature.ts";
import { serveProcess } from "./serve.ts";

/**
 * Serves a component over standard input and output until the host closes the input. What it prints, where it may, goes to
 * standard error.
 * @param words The command line: `--grant=clocks,random,log` says what of WASI it may use; nothing by default.
 * @throws FlowError `usage` for words that say something else
 */
export async function serveComponentProcess(
  instantiate: Instantiate,
  getCoreModule: GetCoreModule,
  words: readonly string[],
): Promise<void> {
  const imports = grantWasi(readGrants(words), (line) => console.error(line));
  await serveProcess(new ComponentToolset((data) => ComponentInstance.start({ instantiate, getCoreModule, imports }, data)));
}

/** @throws FlowError `usage` */
export function readGrants(words: readonly string[]): WasiGrants {
  const grants: { clocks?: true; random?: true; log?: true } = {};
  for (const word of words) {
    const named = /^--grant=(.*)$/.exec(word)?.[1]?.split(",");
    if (named === undefined)
      throw new FlowError("usage", `expected --grant=clocks,random,log or a part of it, met ${JSON.stringify(word)}`);
    for (const name of named) {
      if (name !== "clocks" && name !== "random" && name !== "log")
        throw new FlowError("usage", `expected a grant of clocks, random or log, met ${JSON.stringify(name)}`);
      grants[name] = true;
    }
  }
  return grants;
}

/** What answers messages for a component. An instance that stopped is followed by another one at the next call. */
class ComponentToolset implements Toolset {
  private readonly start: (data: string) => Promise<ComponentInstance>;
  private instance: Promise<ComponentInstance> | undefined;
  private data = "";

  constructor(start: (data: string) => Promise<ComponentInstance>) {
    this.start = start;
  }

  async describe(data: string): Promise<string> {
    this.data = data;
    const { described } = await this.running();
    return signatureText(descriptionJson(described));
  }

  async answer({ run, call, tool, args, schema, types }: ServedCall): Promise<string> {
    let instance: ComponentInstance;
    try {
      instance = await this.running();
    } catch (caught) {
      return reasonText("NotRun", `the component could not be started for the call: ${reasonOf(caught)}`);
    }
    const record: CallRecord = { run, call, tool, args, schema, types };
    const reply = instance.answer(record);
    if (instance.stopped !== undefined) this.instance = undefined;
    return textOf(reply);
  }

  private running(): Promise<ComponentInstance> {
    this.instance ??= this.start(this.data).catch((caught) => {
      this.instance = undefined;
      throw caught;
    });
    return this.instance;
  }
}

function textOf(reply: Reply): string {
  if (reply.tag === "NotRun" || reply.tag === "Unknown") return reasonText(reply.tag, reply.reason);
  if (reply.tag === "Malformed") return noOutcome(reply.reason);
  try {
    return outcomeText(reply.tag, onOneLine((reply as { readonly text: string }).text));
  } catch (caught) {
    return noOutcome(`the component's answer is no JSON: ${reasonOf(caught)}`);
  }
}

/** A reply that is a reply and no outcome: BadReply for the host, as it is where the component runs beside it. */
function noOutcome(reason: string): string {
  console.error(reason);
  return `{"BadReply":${JSON.stringify(reason)}}`;
}

/** JSON that a component wrote, judged before it becomes a part of a message, and without the line ends it may have. @throws FlowError */
function onOneLine(text: string): string {
  return canonicalText(parseJson(text));
}
