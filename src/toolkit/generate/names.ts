/**
 * Names for what is generated. Declarations of different files may share a name; those that do are told apart by the
 * names of their files, then of folders and repositories, and last by number. The names depend on nothing but the
 * identities: not on the order of members in a document.
 */
import { withoutVersion } from "../../signature/identity.ts";

/** Something to be named. */
export interface Nameable {
  /** Unique among all. */
  readonly key: string;
  readonly name: string;
  readonly identity: string;
}

/** How a name is joined with the words in front of it. */
export type NameStyle = "type" | "method";

/**
 * @param taken Names that stand for something else in the module; the given names are added.
 * @returns A name for each key.
 */
export function chooseNames(items: readonly Nameable[], style: NameStyle, taken: Set<string>): Map<string, string> {
  const words = items.map(wordsOf);
  const levels = items.map(() => 0);
  let candidates: string[] = [];
  for (let isSettled = false; !isSettled; ) {
    candidates = items.map(({ name }, i) => candidate(name, words[i] as string[], levels[i] as number, style));
    const counts = new Map<string, number>();
    for (const name of candidates) counts.set(name, (counts.get(name) ?? 0) + 1);
    isSettled = true;
    for (let i = 0; i < items.length; i++) {
      const name = candidates[i] as string;
      const collides = (counts.get(name) as number) > 1 || taken.has(name);
      if (!collides || (levels[i] as number) >= (words[i] as string[]).length) continue;
      levels[i] = (levels[i] as number) + 1;
      isSettled = false;
    }
  }
  const names = new Map<string, string>();
  for (const [i, { key }] of items.entries()) names.set(key, claim(candidates[i] as string, taken));
  return names;
}

/** The name, or the first of its numbered forms that is free; it is taken from then on. */
export function claim(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  taken.add(free);
  return free;
}

function candidate(name: string, words: readonly string[], level: number, style: NameStyle): string {
  const own = identifierOf(name);
  if (level === 0) return own;
  const joined = [...words.slice(words.length - level), capitalized(own)].join("");
  return style === "type" ? joined : (joined[0] as string).toLowerCase() + joined.slice(1);
}

/** The words by which an identity goes on after its name: of its file, its folders, its repository, from far to near. */
function wordsOf({ name, identity }: Nameable): string[] {
  const path = withoutVersion(identity);
  const file = path.endsWith(`.flow.${name}`) ? path.slice(0, -(name.length + 6)) : path;
  return file
    .split("/")
    .map((segment) =>
      segment
        .split(/[^A-Za-z0-9]+/)
        .map(capitalized)
        .join(""),
    )
    .filter((word) => word !== "" && !/^[0-9]/.test(word));
}

/** Descriptions from elsewhere may hold any text for a name. */
export function identifierOf(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_]/g, "_");
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`;
}

export function capitalized(word: string): string {
  return word === "" ? "" : (word[0] as string).toUpperCase() + word.slice(1);
}
