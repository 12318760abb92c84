/** Sending calls to one binding: at once, or when one of its places becomes free. */
import type { Binding } from "../protocol/binding.ts";

/** Something that wants a place: told when it has one. */
export interface Waiting {
  /** Called once. `free` is called when the place may go to another; once or more often. */
  send(free: () => void): void;
}

/** The queue in front of one binding. Without a cap every call goes out at once. */
export class Dispatcher {
  readonly binding: Binding;
  private readonly places: number;
  private out = 0;
  /** In order of arrival; a Set, so that leaving the queue costs the same anywhere in it. */
  private readonly queue = new Set<Waiting>();

  constructor(binding: Binding) {
    this.binding = binding;
    this.places = binding.concurrency ?? Number.POSITIVE_INFINITY;
  }

  submit(waiting: Waiting): void {
    if (this.out < this.places) this.go(waiting);
    else this.queue.add(waiting);
  }

  /** Leaves the queue. */
  withdraw(waiting: Waiting): void {
    this.queue.delete(waiting);
  }

  private go(waiting: Waiting): void {
    // Without a cap there is nothing to give away, and nothing to count.
    if (this.places === Number.POSITIVE_INFINITY) {
      waiting.send(nothing);
      return;
    }
    this.out++;
    let isFree = false;
    waiting.send(() => {
      if (isFree) return;
      isFree = true;
      this.out--;
      this.admit();
    });
  }

  private admit(): void {
    for (const next of this.queue) {
      if (this.out >= this.places) return;
      this.queue.delete(next);
      this.go(next);
    }
  }
}

function nothing(): void {}
