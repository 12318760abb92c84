/** What follows from the views of generic calls, kept for the calls that bring the same ones. */

/** How many sets of bindings are kept, and how many characters of views they may come from. */
const MOST_KEPT = 256;
const MOST_CHARACTERS = 4_194_304;

/**
 * Reading a view and compiling its codecs takes longer than most calls, and most calls of a program bring the same few
 * views. Texts are compared whole: calls share what was read exactly when they say the same. What was used longest ago
 * goes first.
 */
export class ViewCache<T> {
  private readonly kept = new Map<string, T>();
  private characters = 0;

  /**
   * @param schema The text of the success type's schema as the call brought it.
   * @param types The text of its types view.
   * @param make Reads them; what it throws is thrown, and nothing is kept.
   */
  get(schema: string | undefined, types: string | undefined, make: () => T): T {
    const key = `${schema?.length} ${types?.length} ${schema} ${types}`;
    const known = this.kept.get(key);
    if (known !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const made = make();
    if (key.length > MOST_CHARACTERS / 4) return made;
    this.kept.set(key, made);
    this.characters += key.length;
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT && this.characters <= MOST_CHARACTERS) break;
      this.kept.delete(oldest);
      this.characters -= oldest.length;
    }
    return made;
  }
}
