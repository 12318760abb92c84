/** Files that may be components: read, told from what they are not, and handed to the Worker that transpiles, which is loaded then. */
import type { Transpiled, TranspilerAnswer } from "../../transpiler/messages.ts";

/** What the largest toolchains write for a Tool fits twice. */
const MOST_BYTES = 33_554_432;
const HEADER = [0, 0x61, 0x73, 0x6d];
/** The second half of the version: a component's layer, and that of the modules it is made of. */
const COMPONENT = 1;
const CORE = 0;

/** Why a file is not taken, in a sentence for whoever dropped it. */
export class NotTaken extends Error {}

/** @throws NotTaken */
export async function transpileFile(file: File): Promise<Transpiled> {
  if (file.size > MOST_BYTES) {
    throw new NotTaken(`It has ${inMebibytes(file.size)}; a component of up to ${inMebibytes(MOST_BYTES)} is taken.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  requireComponent(bytes);
  return transpile(bytes);
}

/** What is no component is said so before anything is loaded for it. */
function requireComponent(bytes: Uint8Array): void {
  if (bytes.length < 8 || HEADER.some((byte, i) => bytes[i] !== byte)) {
    throw new NotTaken("It is no WebAssembly: a component's file begins with the bytes 00 61 73 6D.");
  }
  const layer = (bytes[6] as number) | ((bytes[7] as number) << 8);
  if (layer === CORE) {
    throw new NotTaken(
      "It is a core WebAssembly module and no component. wasm-tools component new makes a component of one that was built for the WIT world of a Tool.",
    );
  }
  if (layer !== COMPONENT) throw new NotTaken(`It is WebAssembly of a layer that is not known here (${layer}).`);
}

/** A Worker for each: what breaks in one is gone with it. */
function transpile(bytes: Uint8Array<ArrayBuffer>): Promise<Transpiled> {
  // From a blob: address, as the runner: the page's own policy holds in it.
  const address = new URL("transpiler.js", import.meta.url).href;
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
  const worker = new Worker(script, { type: "module", name: "transpiler" });
  return new Promise<Transpiled>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<TranspilerAnswer>) => {
      if ("ready" in data) worker.postMessage(bytes, [bytes.buffer]);
      else if ("done" in data) resolve(data.done);
      else reject(new NotTaken(`It cannot be transpiled: ${data.fault}`));
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const why = "it is loaded when the first component comes, and kept from then on for when there is no network";
      reject(new NotTaken(`The transpiler could not be loaded: ${why}.`));
    });
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(script);
  });
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toLocaleString("en", { maximumFractionDigits: 1 })} MiB`;
}
