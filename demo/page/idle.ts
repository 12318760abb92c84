/** Does something once nothing else is to be done, or when so many milliseconds have passed. */
export function whenIdle(act: () => void, timeout: number): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(act, { timeout });
  else setTimeout(act, timeout / 10);
}
