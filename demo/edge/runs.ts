/** One run of the sample's program, wherever its history lies: begun, taken up again, or looked at. */
import { type Binding, createHost, type HistoryStore, readHistory, type ToolsDocument } from "flow-host";
import { sampleProgram } from "../sample/program.ts";
import { plain, transcriptHooks } from "../sample/transcript.ts";

export interface RunReport {
  readonly run: string;
  /** How this request found the run. */
  readonly found: "new" | "interrupted" | "ended";
  readonly result: string;
  /** What happened while this request drove it, a line each. */
  readonly transcript: readonly string[];
}

/**
 * Brings a run to its end. One that was interrupted goes on where its history ends: what is settled is not done again, and what was
 * open is sent again under the same ids.
 */
export async function driveRun(
  id: string,
  query: string,
  store: HistoryStore,
  tools: ToolsDocument,
  bindings: ReadonlyMap<string, Binding>,
): Promise<RunReport> {
  const transcript: string[] = [];
  const host = createHost({ bindings, ...transcriptHooks((line) => transcript.push(plain(line))) });
  const program = sampleProgram(tools);
  try {
    const text = await store.read();
    if (text === "") {
      const started = await host.start({ program, input: { query }, run: id, history: store });
      return { run: id, found: "new", result: String(await started.result), transcript };
    }
    if (readHistory(text).entries.some(({ kind }) => kind === "end")) {
      const report = await host.replay({ program, history: store });
      const result = report.status === "same" ? String(report.result ?? report.problem) : `its replay is ${report.status}`;
      return { run: id, found: "ended", result, transcript };
    }
    const resumed = await host.resume({ program, history: store });
    return { run: id, found: "interrupted", result: String(await resumed.result), transcript };
  } finally {
    await host[Symbol.asyncDispose]();
  }
}
