/** What the page remembers from one visit to the next, where the browser lets it. */

const PREFIX = "flow-host.";

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Storage is switched off or full: the choice holds until the page is closed.
  }
}
