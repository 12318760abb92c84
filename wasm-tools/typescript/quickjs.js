/** What QuickJS lacks of what the toolkit uses: UTF-8, out and in. Imported before everything else. */

globalThis.TextEncoder ??= class TextEncoder {
  encode(text) {
    const bytes = [];
    // By code points: a surrogate pair is one, and a lone surrogate is U+FFFD, as the standard has it.
    for (const character of String(text)) {
      const met = character.codePointAt(0);
      const point = met >= 0xd800 && met <= 0xdfff ? 0xfffd : met;
      if (point < 0x80) bytes.push(point);
      else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
      else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
      else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
    return Uint8Array.from(bytes);
  }
  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = this.encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
};

/** Only what is used: fatal, and keeping a byte-order mark. */
globalThis.TextDecoder ??= class TextDecoder {
  decode(bytes = new Uint8Array()) {
    let text = "";
    for (let at = 0; at < bytes.length; ) {
      const first = bytes[at++];
      const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
      let point = more === 0 ? first : first & (0x3f >> more);
      let isValid = first < 0x80 || (first >= 0xc2 && first <= 0xf4);
      for (let i = 0; i < more; i++) {
        const next = bytes[at++];
        isValid &&= next !== undefined && (next & 0xc0) === 0x80;
        point = (point << 6) | (next & 63);
      }
      const least = [0, 0x80, 0x800, 0x10000][more];
      if (!isValid || point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
        throw new TypeError("bytes that are not UTF-8");
      text += String.fromCodePoint(point);
    }
    return text;
  }
};
