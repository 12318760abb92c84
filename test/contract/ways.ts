/** What every way to reach a Tool must do, whatever is at its other end: rows of docs/outcomes.md, named in the titles. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DropEvent } from "../../src/host/hooks.ts";
import { createHost, type Host } from "../../src/host/host.ts";
import type { Run } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import type { ToolsDocument } from "../../src/signature/tools.ts";
import { ACT, contractTools, SAME } from "./tools.ts";

export interface Way {
  readonly name: string;
  /** The bindings by identity, or one for all. */
  make(tools: ToolsDocument): Binding | ReadonlyMap<string, Binding> | Promise<Binding | ReadonlyMap<string, Binding>>;
  /** The Tools it can answer. */
  readonly tools?: readonly string[];
  /** Whether it carries the four outcomes as they are: MCP has no word for two of them. */
  readonly hasOutcomes?: boolean;
  /** Whether what it carries is text, in which a value can be wrong in ways no value in this process is. */
  readonly hasText?: boolean;
  /** Whether a Tool hears that it is to stop. */
  readonly hearsCancel?: boolean;
  /** What its numbers may be at most, where the other end reads them as binary floating point. */
  readonly posting?: typeof POSTING;
  /** Whether calls run beside each other. */
  readonly isConcurrent?: boolean;
}

/** Short, since nobody answers in it; long enough that a busy machine still delivers a cancel within it. */
const GRACE_MS = 400;

export const POSTING = {
  account: 73786976294838206465n,
  amount: Decimal.from("123456789012345.678901234567891"),
  note: "\u00e9\u{1f600}\n\u2028",
};

export function contractOf(way: Way): void {
  const {
    posting: posted = POSTING,
    hasOutcomes = true,
    hasText = true,
    hearsCancel = true,
    isConcurrent = true,
    tools: which = [ACT, SAME],
  } = way;

  describe(`${way.name} keeps the contract`, () => {
    let tools: ToolsDocument;
    let host: Host;
    const drops: DropEvent[] = [];

    beforeAll(async () => {
      tools = await contractTools(which);
      const made = await way.make(tools);
      const bindings = made instanceof Map ? made : new Map(which.map((tool) => [tool, made as Binding]));
      host = createHost({ bindings, graceMs: GRACE_MS, onDrop: (event) => drops.push(event) });
    });

    afterAll(() => host?.[Symbol.asyncDispose]());

    async function running<T>(work: (run: Run) => Promise<T>): Promise<T> {
      const { result } = await host.start({ program: { tools, run: (run) => work(run) } });
      return (await result) as T;
    }

    function act(order: string, options = {}): Promise<Outcome> {
      return running((run) => run.call(ACT, { order, posting: posted }, options));
    }

    it("row 13: Ok carries the value, every digit and character of it", async () => {
      const outcome = await act("ok");
      expect(outcome).toMatchObject({ tag: "Ok", value: { account: posted.account, note: posted.note } });
      expect(String((outcome.value as typeof POSTING).amount)).toBe(String(posted.amount));
    });

    it("row 13: Failed carries the declared error", async () => {
      expect(await act("failed")).toEqual({ tag: "Failed", value: "no" });
    });

    it("row 13: an Option that is None crosses as no member at all", async () => {
      const outcome = await running((run) => run.call(ACT, { order: "ok", posting: { account: 0n, amount: Decimal.from("-0.5") } }));
      expect(outcome.tag).toBe("Ok");
      expect(Object.keys(outcome.value as object)).toEqual(["account", "amount"]);
    });

    if (which.includes(SAME)) {
      it("row 13: a generic call carries its views and its value comes back at the call's own type", async () => {
        const types = { bindings: { T: { List: "Int" } }, declarations: new Map() };
        const outcome = await running((run) => run.call(SAME, { value: [1n, 2n ** 70n] }, { types } as never));
        expect(outcome).toEqual({ tag: "Ok", value: [1n, 2n ** 70n] });
      });
    }

    it("row 1: an argument of another type throws before anything is sent", async () => {
      await expect(running((run) => run.call(ACT, { order: 7, posting: posted }))).rejects.toMatchObject({ code: "kind" });
      await expect(running((run) => run.call(ACT, { order: "ok" }))).rejects.toMatchObject({ code: "missing-member" });
    });

    it("row 2: a declaration with another fingerprint refuses the run", async () => {
      const entries = tools.tools.map((entry) => ({ ...entry, fingerprint: `sha256:${"0".repeat(64)}` }));
      const start = host.start({ program: { tools: { ...tools, tools: entries }, run: () => {} } });
      // What answers from its declarations describes those, so a changed one is simply another.
      await expect(start).rejects.toMatchObject({ code: "refused" });
    });

    it("row 9: code that throws is Unknown", async () => {
      if (hasOutcomes) expect((await act("throw")).tag).toBe("Unknown");
      // An MCP server turns what its code throws into an error result, which is no value of the declared error.
      else expect((await act("throw")).tag).toBe("BadReply");
    });

    if (hasOutcomes) {
      it("row 11: the Tool's own NotRun and Unknown come with their reasons", async () => {
        expect(await act("not run")).toEqual({ tag: "NotRun", value: "not today" });
        expect(await act("unknown")).toEqual({ tag: "Unknown", value: "lost sight of it" });
      });

      it.each(["another member", "bad reply", "reason no text"])("row 12: an outcome with %s is BadReply", async (order) => {
        expect((await act(order)).tag).toBe("BadReply");
      });
    }

    it.each(["bad value", "bad error"])("row 12: a %s is BadReply and says where", async (order) => {
      const outcome = await act(order);
      expect(outcome.tag).toBe("BadReply");
      expect(outcome.value).toMatch(order === "bad value" ? /account/ : /the error value/);
    });

    if (hasText) {
      it.each(["twice the same member", "past the digits"])("row 12: a value %s is BadReply", async (order) => {
        expect((await act(order)).tag).toBe("BadReply");
      });

      it("row 13: members that the type does not declare are skipped", async () => {
        expect(await act("ok with more members")).toMatchObject({ tag: "Ok" });
      });
    }

    if (hasText && hasOutcomes) {
      it.each(["no member", "two members"])("row 12: an outcome with %s is BadReply", async (order) => {
        expect((await act(order)).tag).toBe("BadReply");
      });
    }

    if (isConcurrent) {
      it("calls go beside each other and replies come in any order", async () => {
        const outcomes = await running(async (run) => {
          const held = run.call(ACT, { order: "hold", posting: { ...posted, note: "first" } });
          const released = await run.call(ACT, { order: "release", posting: { ...posted, note: "second" } });
          return [await held, released];
        });
        expect(outcomes.map(({ value }) => (value as typeof POSTING).note)).toEqual(["first", "second"]);
      });

      it("a hundred calls at once each get their own reply", async () => {
        const outcomes = await running((run) =>
          Promise.all(
            Array.from({ length: 100 }, (_, i) =>
              run.call(ACT, { order: "ok", posting: { account: BigInt(i), amount: Decimal.from("1") } }),
            ),
          ),
        );
        expect(outcomes.map(({ value }) => (value as typeof POSTING).account)).toEqual(Array.from({ length: 100 }, (_, i) => BigInt(i)));
      });

      it("row 14: a cancelled call that nobody answers is Unknown after the grace time, and its neighbour is well", async () => {
        const controller = new AbortController();
        const [never, ok] = await running(async (run) => {
          const call = run.call(ACT, { order: "never", posting: posted }, { signal: controller.signal });
          const neighbour = await run.call(ACT, { order: "ok", posting: posted });
          controller.abort();
          return [await call, neighbour] as const;
        });
        expect(never.tag).toBe("Unknown");
        expect(ok.tag).toBe("Ok");
        expect((await act("ok")).tag).toBe("Ok");
      });
    }

    if (hearsCancel) {
      it("row 14: a cancelled call that is answered in time has that reply", async () => {
        const outcome = await act("until stopped", { timeoutMs: 50 });
        expect(outcome).toEqual({ tag: "Failed", value: "stopped" });
      });
    }

    it("row 20: what a program leaves open is closed before its run ends", async () => {
      let left: Promise<Outcome> | undefined;
      await running(async (run) => {
        // Once one call has gone through, nothing keeps the next one from going out.
        await run.call(ACT, { order: "ok", posting: posted });
        left = run.call(ACT, { order: isConcurrent ? "never" : "ok", posting: posted });
        await new Promise((resolve) => setTimeout(resolve));
      });
      expect((await left)?.tag).toBe(isConcurrent ? "Unknown" : "Ok");
    });

    it("nothing that was answered as it should be counts as dropped", () => {
      expect(drops.filter(({ why }) => why !== "late")).toEqual([]);
    });
  });
}
