/** Text that is prepared once to be written many times. */

const encoder = new TextEncoder();

/**
 * Text that is written many times, in words of four bytes: names are a third of a document of records, and four bytes
 * at a time they take a quarter of the time.
 */
export interface Phrase {
  readonly words: readonly number[];
  /** In bytes. */
  readonly length: number;
}

export function phraseOf(text: string): Phrase {
  const { length } = encoder.encode(text);
  const padded = new Uint8Array(4 * Math.ceil(length / 4));
  encoder.encodeInto(text, padded);
  const view = new DataView(padded.buffer);
  return { words: Array.from({ length: padded.length / 4 }, (_, i) => view.getUint32(4 * i)), length };
}
