/** What a word is, and when a text has one. Texts are UTF-16 code units at an address, as AssemblyScript keeps strings. */

/**
 * Whether a code unit belongs to a word: letters, digits and the underscore in ASCII; beyond it everything but the
 * signs of Latin-1, general punctuation, and the punctuation of Chinese and Japanese.
 */
export function isWordUnit(unit: i32): bool {
  if (unit < 0x80) {
    const letter = unit | 0x20;
    return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
  }
  if (unit < 0xc0 || unit === 0xd7 || unit === 0xf7) return false;
  return (unit < 0x2000 || unit > 0x206f) && (unit < 0x3000 || unit > 0x303f);
}

/** The lower-case form of a code unit, in the alphabets whose cases lie a fixed distance apart. */
export function fold(unit: i32): i32 {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
  if (unit >= 0xc0 && unit <= 0xde && unit !== 0xd7) return unit + 32; // Latin-1
  if (unit >= 0x391 && unit <= 0x3a9) return unit + 32; // Greek
  if (unit >= 0x410 && unit <= 0x42f) return unit + 32; // Cyrillic
  if (unit >= 0x400 && unit <= 0x40f) return unit + 80;
  return unit;
}

/** Folds a text where it lies. */
export function foldInPlace(text: usize, length: i32): void {
  for (let i = 0; i < length; i++) {
    const at = text + ((<usize>i) << 1);
    store<u16>(at, fold(load<u16>(at)));
  }
}

/** Whether a word of `text` begins with the folded `word`. */
export function hasWord(text: string, word: usize, length: i32): bool {
  const from = changetype<usize>(text);
  const first = <i32>load<u16>(word);
  let inside = false;
  for (let i = 0, last = text.length - length; i <= last; i++) {
    const unit = <i32>load<u16>(from + ((<usize>i) << 1));
    if (!inside && fold(unit) === first && beginsWith(from + ((<usize>i) << 1), word, length)) return true;
    inside = isWordUnit(unit);
  }
  return false;
}

function beginsWith(text: usize, word: usize, length: i32): bool {
  for (let i = 1; i < length; i++) {
    if (fold(load<u16>(text + ((<usize>i) << 1))) !== <i32>load<u16>(word + ((<usize>i) << 1))) return false;
  }
  return true;
}
