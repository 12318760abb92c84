/**
 * Memory for one call. Everything that the host writes for a call and everything that is written for it in reply lies
 * here, one after another, and all of it goes at once when the host has read the reply. So there is no garbage to
 * collect, and memory stays as large as the largest call so far.
 */

const START: usize = (__heap_base + 7) & ~7;

/** The first free byte. */
let top: usize = START;

/** Takes `size` bytes. Where memory has reached its maximum this traps: there is no other way to refuse the host. */
export function take(size: usize, align: usize): usize {
  const place = (top + align - 1) & ~(align - 1);
  // In 64 bits, so that a size near 4 GiB cannot wrap around to a small one.
  const end = <u64>place + <u64>size;
  const pages = <i32>((end + 0xffff) >> 16);
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) unreachable();
  top = <usize>end;
  return place;
}

/** Makes the block at `place` longer or shorter: in place if it is the last one, and else by a copy. */
export function retake(place: usize, oldSize: usize, newSize: usize, align: usize): usize {
  if (place + oldSize === top) {
    top = place;
    return take(newSize, align);
  }
  if (newSize <= oldSize) return place;
  const moved = take(newSize, align);
  memory.copy(moved, place, oldSize);
  return moved;
}

/** The first free byte: where the next block of alignment 1 begins. */
export function mark(): usize {
  return top;
}

/** Gives everything back. */
export function reset(): void {
  top = START;
}
