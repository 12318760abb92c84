/** Has the page kept for when there is no network, once nothing else is to be done. */
export function keepOffline(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const register = (): void => {
    // Where a browser keeps nothing, in a private window for one, the page works all the same while there is a network.
    void navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => {});
  };
  if ("requestIdleCallback" in globalThis) requestIdleCallback(register, { timeout: 5_000 });
  else setTimeout(register, 1_000);
}
