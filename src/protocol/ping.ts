/** Telling an implementation that works from one that hangs (R41): whoever answers a ping is well. */
import type { Session } from "./session.ts";

/** The pings of one binding, one at a time. */
export class Pings {
  private readonly graceMs: number;
  private count = 0;
  private pinged: Session | undefined;

  /** @param graceMs Milliseconds that an implementation has to answer. */
  constructor(graceMs: number) {
    this.graceMs = graceMs;
  }

  /** Pings an implementation, and ends it where it does not answer. */
  ping(session: Session): void {
    if (session === this.pinged) return;
    this.pinged = session;
    const unanswered = setTimeout(() => {
      session.fail(`it did not answer a ping within ${this.graceMs} ms and was terminated`);
    }, this.graceMs);
    session
      .request(`ping-${++this.count}`, "ping", "{}")
      .catch(() => {})
      .finally(() => {
        clearTimeout(unanswered);
        if (this.pinged === session) this.pinged = undefined;
      });
  }
}
