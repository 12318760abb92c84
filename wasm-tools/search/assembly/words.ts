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
  if (length > text.length) return false;
  const start = changetype<usize>(text);
  const last = start + ((<usize>text.length) << 1) - ((<usize>length) << 1);
  const first = <i32>load<u16>(word);
  for (let at = start; at <= last; at += 2) {
    const unit = <i32>load<u16>(at);
    // The cases of a letter differ by 32 or 80, so their last four bits agree: most units are told apart by these alone.
    if (((unit ^ first) & 15) !== 0 || fold(unit) !== first) continue;
    if ((at === start || !isWordUnit(load<u16>(at - 2))) && beginsWith(at, word, length)) return true;
  }
  return false;
}

function beginsWith(text: usize, word: usize, length: i32): bool {
  for (let i = 1; i < length; i++) {
    const offset = (<usize>i) << 1;
    if (fold(load<u16>(text + offset)) !== <i32>load<u16>(word + offset)) return false;
  }
  return true;
}
