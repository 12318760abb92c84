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

/** Rewrites the address without a new entry in the history: typing is no navigation. */
export function writeRoute({ view, parameters }: Route): void {
  const query = parameters.toString();
  history.replaceState(null, "", `#${view}${query === "" ? "" : `?${query}`}`);
}
