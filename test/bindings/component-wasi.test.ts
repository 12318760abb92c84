/** What of WASI can be granted: by itself, and to a component that uses it. */
import { beforeAll, describe, expect, it } from "vitest";
import { bindComponent } from "../../src/bindings/component.ts";
import { grantWasi, type WasiGrants } from "../../src/bindings/component-wasi.ts";
import { createHost } from "../../src/host/host.ts";
import type { FlowError } from "../../src/json/errors.ts";
import { signatureText } from "../../src/signature/signature.ts";
import type { ToolEntry, ToolsDocument } from "../../src/signature/tools.ts";
import { DOES, type Loaded, load, oddComponent } from "../components/odd.ts";
import { program, rejection, toolsOf } from "../host/support.ts";

const TOOL = "odd.flow.act";
const ALL: WasiGrants = { clocks: true, random: true, log: true };

/** The parts of WASI that the component uses, as WASI 0.2.3 declares them. */
const WASI_WIT = `
package wasi:clocks@0.2.3 {
  interface wall-clock { record datetime { seconds: u64, nanoseconds: u32 } now: func() -> datetime; }
  interface monotonic-clock { type instant = u64; now: func() -> instant; }
}
package wasi:random@0.2.3 { interface random { get-random-u64: func() -> u64; } }
package wasi:io@0.2.3 {
  interface error { resource error { to-debug-string: func() -> string; } }
  interface streams {
    use error.{error};
    variant stream-error { last-operation-failed(error), closed }
    resource output-stream {
      check-write: func() -> result<u64, stream-error>;
      blocking-write-and-flush: func(contents: list<u8>) -> result<_, stream-error>;
    }
  }
}
package wasi:cli@0.2.3 { interface stdout { use wasi:io/streams@0.2.3.{output-stream}; get-stdout: func() -> output-stream; } }
`;

const IMPORTS = `
  (import "wasi:clocks/wall-clock@0.2.3" "now" (func $wall (param i32)))
  (import "wasi:clocks/monotonic-clock@0.2.3" "now" (func $monotonic (result i64)))
  (import "wasi:random/random@0.2.3" "get-random-u64" (func $random (result i64)))
  (import "wasi:cli/stdout@0.2.3" "get-stdout" (func $stdout (result i32)))
  (import "wasi:io/streams@0.2.3" "[method]output-stream.check-write" (func $check (param i32 i32)))
  (import "wasi:io/streams@0.2.3" "[method]output-stream.blocking-write-and-flush" (func $write (param i32 i32 i32 i32)))
  (import "wasi:io/streams@0.2.3" "[resource-drop]output-stream" (func $drop (param i32)))
`;

/** Uses each of them; traps where the clocks stand still at 0 or a write fails; prints "ab" and half of a line. */
const USE = `
  (local $out i32)
  (call $wall (i32.const 64))
  (if (i64.lt_u (i64.load (i32.const 64)) (i64.const 1700000000)) (then unreachable))
  (if (i64.eqz (call $monotonic)) (then unreachable))
  (drop (call $random))
  (local.set $out (call $stdout))
  (call $check (local.get $out) (i32.const 64))
  (if (i32.load8_u (i32.const 64)) (then unreachable))
  (i32.store (i32.const 96) (i32.const 0x630a6261))
  (call $write (local.get $out) (i32.const 96) (i32.const 4) (i32.const 64))
  (if (i32.load8_u (i32.const 64)) (then unreachable))
  (call $drop (local.get $out))
`;

let tools: ToolsDocument;
let uses: Loaded;

beforeAll(async () => {
  tools = await toolsOf({ [TOOL]: { params: { n: "Int" } } });
  const { tool, fingerprint, signature } = tools.tools[0] as ToolEntry;
  uses = await load(
    await oddComponent({
      served: [{ tool, fingerprint, signature: signatureText(signature) }],
      imports: IMPORTS,
      onDescribe: USE,
      wit: (text) =>
        text.replace(
          "  export tool;\n",
          `  import wasi:clocks/wall-clock@0.2.3; import wasi:clocks/monotonic-clock@0.2.3; import wasi:random/random@0.2.3;
  import wasi:cli/stdout@0.2.3;
  export tool;\n`,
        ) + WASI_WIT,
    }),
  );
}, 60_000);

async function outcomeWith(wasi: WasiGrants, log: (line: string) => void = () => {}) {
  const host = createHost({ bindings: { [TOOL]: bindComponent(uses.instantiate, uses.getCoreModule, { wasi }) }, log });
  return (await host.start({ program: program(tools, (run) => run.call(TOOL, { n: BigInt(DOES.ok) })) })).result;
}

describe("a component that uses WASI", () => {
  it("has what it was granted", async () => {
    expect(await outcomeWith(ALL)).toEqual({ tag: "Ok", value: 7n });
  });

  it.each([
    ["clocks", { random: true, log: true }, "wasi:clocks/"],
    ["random", { clocks: true, log: true }, "wasi:random/random"],
    ["log", { clocks: true, random: true }, "wasi:cli/stdout"],
    ["anything", {}, "wasi:"],
  ])("is refused without %s, by name", async (_, wasi, name) => {
    const { errors } = (await rejection(outcomeWith(wasi))) as FlowError;
    expect(errors).toMatchObject([{ code: "import", message: expect.stringContaining(`the component imports ${name}`) }]);
  });
});

describe("log", () => {
  /** The streams of a grant, and the lines that came of what was written. */
  function streams() {
    const lines: string[] = [];
    const granted = grantWasi({ log: true }, (line) => lines.push(line)) as unknown as {
      "wasi:cli/stdout": { getStdout(): { write(bytes: Uint8Array): void; checkWrite(): bigint; subscribe(): { ready(): boolean } } };
      "wasi:cli/stderr": { getStderr(): { blockingWriteAndFlush(bytes: Uint8Array): void } };
      "wasi:io/poll": { poll(list: readonly unknown[]): Uint32Array };
    };
    return { lines, granted };
  }
  const bytes = (text: string) => new TextEncoder().encode(text);

  it("gives whole lines, however they were written", () => {
    const { lines, granted } = streams();
    const out = granted["wasi:cli/stdout"].getStdout();
    const whole = bytes("one\ntwo é\n\nthree\n");
    for (const byte of whole) granted["wasi:cli/stdout"].getStdout().write(Uint8Array.of(byte));
    out.write(bytes("half"));
    expect(lines).toEqual(["one", "two é", "", "three"]);
  });

  it("keeps the two streams apart", () => {
    const { lines, granted } = streams();
    granted["wasi:cli/stdout"].getStdout().write(bytes("out "));
    granted["wasi:cli/stderr"].getStderr().blockingWriteAndFlush(bytes("err\n"));
    granted["wasi:cli/stdout"].getStdout().write(bytes("put\n"));
    expect(lines).toEqual(["err", "out put"]);
  });

  it("cuts what is longer than a line, and holds no more of it", () => {
    const { lines, granted } = streams();
    granted["wasi:cli/stdout"].getStdout().write(bytes("x".repeat(20_000)));
    expect(lines.map(({ length }) => length)).toEqual([8_192, 8_192, 3_616]);
  });

  it("is never in the way: there is always room, and nothing to wait for", () => {
    const { granted } = streams();
    const out = granted["wasi:cli/stdout"].getStdout();
    expect(out.checkWrite()).toBeGreaterThan(0n);
    expect(out.subscribe().ready()).toBe(true);
    expect([...granted["wasi:io/poll"].poll([out.subscribe(), out.subscribe()])]).toEqual([0, 1]);
  });
});

describe("random", () => {
  const random = (
    grantWasi({ random: true }) as unknown as {
      "wasi:random/random": { getRandomBytes(length: bigint): Uint8Array; getRandomU64(): bigint };
    }
  )["wasi:random/random"];

  it("fills any number of bytes that a component could hold", () => {
    expect(random.getRandomBytes(0n)).toHaveLength(0);
    const many = random.getRandomBytes(200_000n);
    expect(many).toHaveLength(200_000);
    // Also the last of the pieces was filled: 3,000 zeros in a row are no accident.
    expect(many.subarray(-3_000).some((byte) => byte !== 0)).toBe(true);
  });

  it("refuses to take the host's memory", () => {
    expect(() => random.getRandomBytes(2n ** 63n)).toThrow(RangeError);
  });

  it("has all 64 bits", () => {
    let seen = 0n;
    for (let i = 0; i < 200; i++) seen |= random.getRandomU64();
    expect(seen).toBe(2n ** 64n - 1n);
  });
});

it("grants nothing that is not named", () => {
  expect(grantWasi({})).toEqual({});
  expect(Object.keys(grantWasi(ALL)).sort()).toEqual([
    "wasi:cli/stderr",
    "wasi:cli/stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure",
    "wasi:random/insecure-seed",
    "wasi:random/random",
  ]);
});
