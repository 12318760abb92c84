/** Telling listeners of a binding, none of which can disturb it. */
import type { BindingEvents } from "./binding.ts";

/** The listeners of one binding. */
export class Listeners {
  private readonly all = new Set<BindingEvents>();

  get size(): number {
    return this.all.size;
  }

  add(events: BindingEvents): () => void {
    this.all.add(events);
    return () => this.all.delete(events);
  }

  dropped(...message: Parameters<BindingEvents["dropped"]>): void {
    for (const events of this.all) events.dropped(...message);
  }

  restarted(reason: string): void {
    for (const events of this.all) events.restarted(reason);
  }

  log(line: string): void {
    for (const events of this.all) events.log(line);
  }
}
