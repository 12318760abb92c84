/** Bytes that come in pieces. Whoever sends them decides how small these are; what is held is in proportion to the bytes alone. */

/** Room for the second piece and those behind it, at the least. */
const LEAST = 4_096;

const NONE = new Uint8Array(0);

export class Gathered {
  private room: Uint8Array = NONE;
  private isOwn = false;
  private held = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.held;
  }

  push(piece: Uint8Array): void {
    const length = this.held + piece.length;
    if (this.held === 0 && !this.isOwn) {
      // Most often one piece is all there is, and nothing has to be copied.
      this.room = piece;
    } else {
      if (!this.isOwn || length > this.room.length) this.grow(length);
      this.room.set(piece, this.held);
    }
    this.held = length;
  }

  /** Gives all there is, and begins anew. */
  take(): Uint8Array {
    const bytes = this.room.subarray(0, this.held);
    this.room = NONE;
    this.isOwn = false;
    this.held = 0;
    return bytes;
  }

  private grow(length: number): void {
    const room = new Uint8Array(Math.max(LEAST, 2 * length));
    room.set(this.room.subarray(0, this.held));
    this.room = room;
    this.isOwn = true;
  }
}
