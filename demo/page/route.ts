/** The state of the page in the address: `#program?tool=…`. A link reproduces what it was copied from. */

export interface Route {
  /** The view's id; empty where the address names none. */
  readonly view: string;
  readonly parameters: URLSearchParams;
}

export function readRoute(): Route {
  const hash = location.hash.slice(1);
  const end = hash.indexOf("?");
  if (end < 0) return { view: hash, parameters: new URLSearchParams() };
  return { view: hash.slice(0, end), parameters: new URLSearchParams(hash.slice(end + 1)) };
}

/** Browsers refuse, or count as a flood, more than a hundred changes of the address in half a minute. */
const APART_MS = 320;

let pause: ReturnType<typeof setTimeout> | undefined;
let waiting: Route | undefined;

/**
 * Rewrites the address without a new entry in the history: typing is no navigation. The first change is made at once, and of those
 * that follow it closely the last.
 */
export function writeRoute(route: Route): void {
  waiting = route;
  if (pause !== undefined) return;
  settleRoute();
  pause = setTimeout(() => {
    pause = undefined;
    if (waiting !== undefined) writeRoute(waiting);
  }, APART_MS);
}

/** Makes the change that waits, before somebody leaves for another view or copies the address. */
export function settleRoute(): void {
  if (waiting === undefined) return;
  const { view, parameters } = waiting;
  waiting = undefined;
  const query = parameters.toString();
  history.replaceState(null, "", `#${view}${query === "" ? "" : `?${query}`}`);
}

/** Forgets the change that waits: the address is another one now. */
export function dropRoute(): void {
  waiting = undefined;
}
