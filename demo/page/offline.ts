/** What the page keeps in the browser for when there is no network. */
import { whenIdle } from "./idle.ts";

/** Has the page kept, once nothing else is to be done. */
export function keepOffline(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  whenIdle(() => {
    // Where a browser keeps nothing, in a private window for one, the page works all the same while there is a network.
    void navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => {});
  }, 5_000);
}

/** Has the transpiler kept as well. It is large and few need it, so it is kept only once it has been used. */
export function keepTranspiler(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage("keep the transpiler"));
}
