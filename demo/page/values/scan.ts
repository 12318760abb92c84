/** The parts of a well-formed JSON text that can be spelled in more than one way: numbers, strings, members and space. */
import { type Range, tokenAt } from "../locate.ts";

export interface Member extends Range {
  /** As it reads, escapes resolved. */
  readonly name: string;
}

export interface ScannedObject {
  readonly members: readonly Member[];
}

export interface Scan {
  readonly numbers: readonly Range[];
  /** Strings and member names. */
  readonly strings: readonly Range[];
  /** In the order in which they open. */
  readonly objects: readonly ScannedObject[];
  /** Whether space stands between tokens. */
  readonly spaced: boolean;
}

interface Open {
  readonly members: Member[] | undefined;
  name: { readonly text: string; readonly start: number } | undefined;
}

/** @param text what `JSON.parse` takes */
export function scan(text: string): Scan {
  const numbers: Range[] = [];
  const strings: Range[] = [];
  const objects: ScannedObject[] = [];
  const open: Open[] = [];
  let spaced = false;
  const ended = (end: number): void => {
    const around = open.at(-1);
    if (around?.members === undefined || around.name === undefined) return;
    around.members.push({ name: around.name.text, start: around.name.start, end });
    around.name = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const unit = text[at] as string;
    if (" \t\n\r".includes(unit)) {
      spaced = true;
      at++;
      continue;
    }
    const { end } = tokenAt(text, at);
    if (unit === "{") {
      const members: Member[] = [];
      objects.push({ members });
      open.push({ members, name: undefined });
    } else if (unit === "[") open.push({ members: undefined, name: undefined });
    else if (unit === "}" || unit === "]") {
      open.pop();
      ended(end);
    } else if (unit === '"') {
      strings.push({ start: at, end });
      const around = open.at(-1);
      if (around?.members !== undefined && around.name === undefined) {
        around.name = { text: JSON.parse(text.slice(at, end)) as string, start: at };
      } else ended(end);
    } else if (unit !== "," && unit !== ":") {
      if (unit === "-" || (unit >= "0" && unit <= "9")) numbers.push({ start: at, end });
      ended(end);
    }
    at = end;
  }
  return { numbers, strings, objects, spaced };
}
