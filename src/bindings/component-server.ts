/**
 * The Worker's side of a component in a Worker. `flow-host component build` bundles it with a component's glue to the
 * component's `worker.js`, so it imports next to nothing.
 */
import { isFlowError } from "../json/errors.ts";
import { type Reply, reasonOf } from "../protocol/outcome.ts";
import { type CallRecord, ComponentInstance, type DescriptionRecord, type Instantiate } from "./component-instance.ts";
import { grantWasi, type WasiGrants } from "./component-wasi.ts";

/** What the host's side sends. */
export type ToWorker =
  | { readonly start: string; readonly wasi: WasiGrants }
  | { readonly core: string; readonly module: WebAssembly.Module }
  | { readonly call: CallRecord };

/** What the Worker sends. */
export type FromWorker =
  | { readonly core: string }
  | { readonly described: DescriptionRecord }
  | { readonly fault: { readonly code: string; readonly reason: string } }
  | { readonly reply: Reply; readonly stopped: string | undefined }
  | { readonly log: string };

/** What is used of a Worker's own scope, or of Node's `parentPort`. */
interface Port {
  postMessage(message: FromWorker): void;
  addEventListener?(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
  on?(type: "message", listener: (message: ToWorker) => void): unknown;
}

/** Serves a component from inside of a Worker. */
export function serveComponentWorker(instantiate: Instantiate, port: Port): void {
  const asked = new Map<string, (module: WebAssembly.Module) => void>();
  let instance: ComponentInstance | undefined;

  async function start(data: string, wasi: WasiGrants): Promise<void> {
    try {
      const getCoreModule = (path: string) =>
        new Promise<WebAssembly.Module>((resolve) => {
          asked.set(path, resolve);
          port.postMessage({ core: path });
        });
      const imports = grantWasi(wasi, (log) => port.postMessage({ log }));
      instance = await ComponentInstance.start({ instantiate, getCoreModule, imports }, data);
      port.postMessage({ described: instance.described });
    } catch (caught) {
      const { code, message } = isFlowError(caught) ? caught : { code: "start", message: reasonOf(caught) };
      port.postMessage({ fault: { code, reason: message } });
    }
  }

  const take = (message: ToWorker): void => {
    if ("start" in message) void start(message.start, message.wasi);
    else if ("core" in message) asked.get(message.core)?.(message.module);
    else if (instance !== undefined) {
      const reply = instance.answer(message.call);
      port.postMessage({ reply, stopped: instance.stopped });
    }
  };
  if (port.on !== undefined) port.on("message", take);
  else port.addEventListener?.("message", ({ data }) => take(data));
}
