import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Duration, parseDuration } from "../../src/values/duration.ts";
import { Instant, parseInstant } from "../../src/values/instant.ts";

const LAST = 8_640_000_000_000_000_000_000n;

describe("Instant", () => {
  it("writes and reads every nanosecond of its range", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -LAST, max: LAST }), (nanoseconds) => {
        const instant = Instant.fromEpochNanoseconds(nanoseconds);
        expect(instant.epochNanoseconds).toBe(nanoseconds);
        expect(Instant.parse(instant.toString())).toEqual(instant);
      }),
      { numRuns: 2_000 },
    );
  });

  it("agrees with Date wherever Date can say it", () => {
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (milliseconds) => {
        const date = new Date(milliseconds);
        const instant = Instant.fromDate(date);
        expect(instant.toDate()).toEqual(date);
        // Date writes three digits of a fraction and six of a year.
        const expected = date
          .toISOString()
          .replace(/\.?0*Z$/, "Z")
          .replace(/^([+-])0*(\d{4,})-/, "$1$2-");
        expect(instant.toString()).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["2024-02-29T00:00:00Z", undefined],
    ["2000-02-29T00:00:00Z", undefined],
    ["0000-02-29T00:00:00Z", undefined],
    ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z"],
    ["2026-01-01T00:00:00.50Z", "2026-01-01T00:00:00.5Z"],
    ["2026-01-01T00:00:00.1234567890000Z", "2026-01-01T00:00:00.123456789Z"],
    ["+10000-01-01T00:00:00Z", undefined],
    ["-0001-12-31T23:59:59Z", undefined],
    ["-271821-04-20T00:00:00Z", undefined],
    ["+275760-09-13T00:00:00Z", undefined],
    ["9999-12-31T23:59:59.999999999Z", undefined],
  ])("takes %s", (text, canonical) => {
    expect(Instant.parse(text).toString()).toBe(canonical ?? text);
  });

  it.each([
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01t00:00:00Z",
    "2026-01-01T00:00:00z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "-0000-01-01T00:00:00Z",
    "+2026-01-01T00:00:00Z",
    "+09999-01-01T00:00:00Z",
    "-00001-01-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T00:00:00.0000000001Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00,5Z",
    "2026-1-1T00:00:00Z",
    "26-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "2026-01-01T00:00:00ZZ",
    " 2026-01-01T00:00:00Z",
    "２026-01-01T00:00:00Z",
    "+",
    "",
  ])("refuses the spelling %j (R9)", (text) => {
    expect(parseInstant(text)).toBe("spelling");
  });

  it.each([
    "+275760-09-13T00:00:00.000000001Z",
    "-271821-04-19T23:59:59.999999999Z",
    "+999999999-01-01T00:00:00Z",
    `+${"9".repeat(1000)}-01-01T00:00:00Z`,
  ])("refuses %s, which is well written and out of range", (text) => {
    expect(parseInstant(text)).toBe("limit");
  });

  it("says in a FlowError what it refuses", () => {
    expect(() => Instant.parse("x")).toThrow(expect.objectContaining({ code: "spelling" }));
    expect(() => Instant.fromEpochNanoseconds(LAST + 1n)).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => Instant.fromDate(new Date(Number.NaN))).toThrow(expect.objectContaining({ code: "kind" }));
    const fine = Instant.parse("1969-12-31T23:59:59.9999Z");
    expect(() => fine.toDate()).toThrow(expect.objectContaining({ code: "not-whole" }));
    expect(fine.toDate("floor").getTime()).toBe(-1);
    expect(() => (fine as unknown as number) > 1).toThrow(TypeError);
    expect(JSON.stringify(fine)).toBe('"1969-12-31T23:59:59.9999Z"');
  });

  it("compares by time", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -3_000_000_000n, max: 3_000_000_000n }),
        fc.bigInt({ min: -3_000_000_000n, max: 3_000_000_000n }),
        (a, b) => {
          const [x, y] = [Instant.fromEpochNanoseconds(a), Instant.fromEpochNanoseconds(b)];
          expect(Math.sign(x.compare(y))).toBe(Math.sign(Number(a - b)));
          expect(x.equals(y)).toBe(a === b);
        },
      ),
    );
  });
});

describe("Duration", () => {
  const MOST = 2n ** 53n * 1_000_000_000n - 1n;

  it("writes and reads every nanosecond of its range, and compares by length", () => {
    const some = fc.oneof(fc.bigInt({ min: -MOST, max: MOST }), fc.bigInt({ min: -3_000_000_000n, max: 3_000_000_000n }));
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [x, y] = [Duration.fromNanoseconds(a), Duration.fromNanoseconds(b)];
        expect(x.nanoseconds).toBe(a);
        expect(Duration.parse(x.toString())).toEqual(x);
        expect(Math.sign(x.compare(y))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(x.equals(y)).toBe(a === b);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["PT90S", "PT90S"],
    ["PT0.25S", "PT0.25S"],
    ["PT-5S", "PT-5S"],
    ["PT-0.5S", "PT-0.5S"],
    ["PT1.50S", "PT1.5S"],
    ["PT1.0S", "PT1S"],
    ["PT0.0S", "PT0S"],
    ["PT9007199254740991.999999999S", "PT9007199254740991.999999999S"],
  ])("takes %s", (text, canonical) => {
    expect(Duration.parse(text).toString()).toBe(canonical);
  });

  it.each([
    "PT-0S",
    "PT-0.0S",
    "-PT5S",
    "PT1M",
    "P1D",
    "PT01S",
    "PT.5S",
    "PT1e3S",
    "PT1.S",
    "PTS",
    "PT1",
    "pt1S",
    "PT1s",
    "PT+1S",
    "PT1.0000000001S",
    " PT1S",
    "PT1S ",
    "",
  ])("refuses the spelling %j (R10)", (text) => {
    expect(parseDuration(text)).toBe("spelling");
  });

  it("ends before 2^53 seconds", () => {
    for (const text of ["PT9007199254740992S", "PT-9007199254740992S", `PT${"9".repeat(400)}S`]) expect(parseDuration(text)).toBe("limit");
    expect(() => Duration.fromNanoseconds(MOST + 1n)).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => Duration.parse("PT9007199254740992S")).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => Duration.parse("1h")).toThrow(expect.objectContaining({ code: "spelling" }));
  });

  it("becomes milliseconds, or says what would be lost", () => {
    expect(Duration.fromMilliseconds(-1500)).toEqual(Duration.parse("PT-1.5S"));
    expect(Duration.parse("PT-1.5S").toMilliseconds()).toBe(-1500);
    expect(Duration.parse("PT-0.0001S").toMilliseconds("truncate")).toBe(0);
    expect(() => Duration.parse("PT0.0001S").toMilliseconds()).toThrow(expect.objectContaining({ code: "not-whole" }));
    expect(() => Duration.parse("PT9007199254740991S").toMilliseconds()).toThrow(expect.objectContaining({ code: "limit" }));
    for (const value of [0.5, Number.NaN, 2 ** 53])
      expect(() => Duration.fromMilliseconds(value)).toThrow(expect.objectContaining({ code: "not-whole" }));
    expect(() => (Duration.parse("PT1S") as unknown as number) > 1).toThrow(TypeError);
    expect(JSON.stringify(Duration.parse("PT1S"))).toBe('"PT1S"');
  });
});

describe("Temporal", () => {
  const duration = {
    years: 0,
    months: 0,
    weeks: 0,
    days: 1,
    hours: 1,
    minutes: 1,
    seconds: 1,
    milliseconds: 1,
    microseconds: 1,
    nanoseconds: 1,
  };

  it("is taken, whoever made it", () => {
    expect(Instant.fromTemporal({ epochNanoseconds: -1n }).toString()).toBe("1969-12-31T23:59:59.999999999Z");
    expect(Duration.fromTemporal(duration).toString()).toBe("PT90061.001001001S");
    expect(() => Duration.fromTemporal({ ...duration, weeks: 1 })).toThrow(expect.objectContaining({ code: "kind" }));
  });

  it("is made where the platform has it, and refused where it has not", () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, "Temporal");
    const set = (value: unknown) => Object.defineProperty(globalThis, "Temporal", { value, configurable: true, writable: true });
    try {
      set(undefined);
      expect(() => Instant.parse("1970-01-01T00:00:00Z").toTemporal()).toThrow(expect.objectContaining({ code: "unsupported" }));
      expect(() => Duration.parse("PT1S").toTemporal()).toThrow(expect.objectContaining({ code: "unsupported" }));
      set({ Instant: { fromEpochNanoseconds: (it: bigint) => it }, Duration: { from: (it: unknown) => it } });
      expect(Instant.parse("1970-01-01T00:00:01Z").toTemporal()).toBe(1_000_000_000n);
      expect(Duration.parse("PT-1.5S").toTemporal()).toEqual({ seconds: -1, nanoseconds: -500_000_000 });
    } finally {
      if (before === undefined) Reflect.deleteProperty(globalThis, "Temporal");
      else Object.defineProperty(globalThis, "Temporal", before);
    }
  });
});
