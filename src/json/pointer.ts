/** JSON Pointers (RFC 6901). */

/** One segment, escaped. */
export function escapeSegment(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replace(/~/g, "~0").replace(/\//g, "~1") : name;
}

/** The pointer of a member or item below a pointer. */
export function childPointer(pointer: string, segment: string | number): string {
  return `${pointer}/${typeof segment === "number" ? segment : escapeSegment(segment)}`;
}

/** The unescaped segments of a pointer; none for the root. */
export function splitPointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/~1/g, "/").replace(/~0/g, "~"));
}
