/**
 * The few interfaces of WASI 0.2 that a host may grant a component: clocks, random numbers, and standard output and error
 * as lines of its log. Nothing here can wait, read a file or reach the network.
 *
 * These are our own, because `@bytecodealliance/preview2-shim` brings threads and files on Node and another
 * implementation for each kind of runtime, none of them made for workerd; what is granted here is the same everywhere
 * and can be read in a minute.
 */

/** What of WASI a component may use. Nothing is granted that is not named. */
export interface WasiGrants {
  /** The time of day and a clock that never goes back (`wasi:clocks`), to read and not to wait for. */
  readonly clocks?: boolean;
  /** Random bytes (`wasi:random`). */
  readonly random?: boolean;
  /** Standard output and standard error (`wasi:cli`, `wasi:io`), which become lines of the host's log. */
  readonly log?: boolean;
}

/**
 * The interfaces in a grant, by name, as `bindComponent` takes them among its imports.
 * @param log Told of each line that a component with the grant `log` writes.
 */
export function grantWasi(grants: WasiGrants, log: (line: string) => void = () => {}): Readonly<Record<string, object>> {
  return {
    ...(grants.clocks === true ? clocks() : {}),
    ...(grants.random === true ? random() : {}),
    ...(grants.log === true ? output(log) : {}),
  };
}

const NANOSECONDS_A_MILLISECOND = 1_000_000n;

function clocks(): Record<string, object> {
  return {
    "wasi:clocks/wall-clock": {
      now: () => {
        const milliseconds = Date.now();
        const seconds = Math.floor(milliseconds / 1000);
        return { seconds: BigInt(seconds), nanoseconds: (milliseconds - seconds * 1000) * 1_000_000 };
      },
      resolution: () => ({ seconds: 0n, nanoseconds: 1_000_000 }),
    },
    // No `subscribe-…`: whoever waited for one would block the thread the host runs in.
    "wasi:clocks/monotonic-clock": {
      now: () => BigInt(Math.round(performance.now() * 1_000_000)),
      resolution: () => NANOSECONDS_A_MILLISECOND,
    },
  };
}

/** What `crypto.getRandomValues` gives at once, and how much at most anyone may ask for. */
const RANDOM_CHUNK = 65_536;
const RANDOM_MOST = 16_777_216n;

function random(): Record<string, object> {
  return {
    "wasi:random/random": { getRandomBytes: randomBytes, getRandomU64: randomU64 },
    "wasi:random/insecure": { getInsecureRandomBytes: randomBytes, getInsecureRandomU64: randomU64 },
    "wasi:random/insecure-seed": { insecureSeed: () => [randomU64(), randomU64()] },
  };
}

function randomBytes(length: bigint): Uint8Array {
  if (length > RANDOM_MOST) throw new RangeError(`${length} random bytes were asked for, and ${RANDOM_MOST} are the most at once`);
  const bytes = new Uint8Array(Number(length));
  for (let at = 0; at < bytes.length; at += RANDOM_CHUNK) crypto.getRandomValues(bytes.subarray(at, at + RANDOM_CHUNK));
  return bytes;
}

function randomU64(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0] as bigint;
}

/** How much is written at once, as the stream says of itself. */
const WRITE_MOST = 1_048_576n;
/** What is longer is more than a line of a log. */
const LONGEST_LINE = 8_192;

/** Standard output and error. Each is a stream that always takes more, so a pollable is always ready. */
function output(log: (line: string) => void): Record<string, object> {
  class Pollable {
    ready(): boolean {
      return true;
    }
    block(): void {}
  }
  class IoError {
    toDebugString(): string {
      return "the stream failed";
    }
  }
  class OutputStream {
    private readonly lines = new Lines(log);

    checkWrite(): bigint {
      return WRITE_MOST;
    }
    write(bytes: Uint8Array): void {
      this.lines.write(bytes);
    }
    writeZeroes(length: bigint): void {
      this.lines.write(new Uint8Array(Number(length < WRITE_MOST ? length : WRITE_MOST)));
    }
    blockingWriteAndFlush(bytes: Uint8Array): void {
      this.lines.write(bytes);
    }
    blockingWriteZeroesAndFlush(length: bigint): void {
      this.writeZeroes(length);
    }
    flush(): void {}
    blockingFlush(): void {}
    subscribe(): Pollable {
      return new Pollable();
    }
  }
  // One stream each, however often it is asked for, so that what is written in pieces ends up in one line.
  const out = new OutputStream();
  const err = new OutputStream();
  return {
    "wasi:cli/stdout": { getStdout: () => out },
    "wasi:cli/stderr": { getStderr: () => err },
    "wasi:io/streams": { OutputStream },
    "wasi:io/error": { Error: IoError },
    "wasi:io/poll": { Pollable, poll: (pollables: readonly unknown[]) => Uint32Array.from(pollables.keys()) },
  };
}

/** Bytes to lines. A log is for people: what is no UTF-8 is shown as such and changes nothing. */
class Lines {
  private readonly log: (line: string) => void;
  private readonly decoder = new TextDecoder();
  private begun = "";

  constructor(log: (line: string) => void) {
    this.log = log;
  }

  write(bytes: Uint8Array): void {
    const lines = (this.begun + this.decoder.decode(bytes, { stream: true })).split("\n");
    this.begun = lines.pop() as string;
    for (const line of lines) this.emit(line);
    if (this.begun.length > LONGEST_LINE) {
      this.emit(this.begun);
      this.begun = "";
    }
  }

  private emit(line: string): void {
    for (let at = 0; at === 0 || at < line.length; at += LONGEST_LINE) this.log(line.slice(at, at + LONGEST_LINE));
  }
}
