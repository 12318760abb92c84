/** Compares identities of declarations: a new version of a repository leaves its declarations what they are. */

/** Whether the UTF-8 bytes are `before`, then perhaps `@` and a version, then `after`. Both are ASCII. */
export function isTool(from: usize, length: usize, before: string, after: string): bool {
  const end = from + length;
  if (!startsWith(from, end, before)) return false;
  let at = from + before.length;
  if (after.length > 0 && at < end && load<u8>(at) === 0x40) while (at < end && load<u8>(at) !== 0x2f) at++;
  return end - at === after.length && startsWith(at, end, after);
}

function startsWith(from: usize, end: usize, ascii: string): bool {
  if (<i32>(end - from) < ascii.length) return false;
  for (let i = 0; i < ascii.length; i++) if (<i32>load<u8>(from + i) !== ascii.charCodeAt(i)) return false;
  return true;
}
