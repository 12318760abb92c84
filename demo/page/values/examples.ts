/** Values to pick from: each shows one thing that goes wrong elsewhere, or is refused here. */

export interface ValueExample {
  readonly title: string;
  readonly type: string;
  readonly json: string;
  readonly declarations?: string;
}

export const EXAMPLES: readonly [ValueExample, ...ValueExample[]] = [
  {
    title: "A posting that JSON.parse bends",
    type: "ledger.Posting",
    json: `{
  "note": "rent",
  "account": 73786976294838206465,
  "amount": 123456789012345.678901234567891
}`,
  },
  {
    title: "Any JSON, and what is lost of it",
    type: "json.Value",
    json: `{
  "id": 9007199254740993,
  "price": 0.1,
  "rate": 3.14159265358979323846,
  "far": 1e400,
  "name": "kept",
  "list": [1, 2e1, 1.50]
}`,
  },
  {
    title: "The same member twice",
    type: "ledger.Posting",
    json: `{
  "account": 1,
  "amount": 100.00,
  "account": 2
}`,
  },
  { title: "A set of numbers past 2^64", type: "Set<Int>", json: "[1, 2e1, 340282366920938463463374607431768211457]" },
  { title: "A set out of order", type: "Set<Int>", json: "[2, 1]" },
  {
    title: "Declarations of your own",
    type: "List<Shape>",
    json: '[{"Circle": {"radius": 2.50}}, "Nothing", {"Line": [1, 12e2]}]',
    declarations: `type Shape {
    Nothing,
    Circle { radius: Decimal },
    Line(Int, Int),
}`,
  },
  { title: "An instant spelled otherwise", type: "Instant", json: '"2026-01-31T12:00:00.500Z"' },
  { title: "A dictionary with keys that are no texts", type: "Dict<Instant, Decimal>", json: '[["2026-01-31T12:00:00Z", 1.10]]' },
  { title: "A term as JSON", type: '{"Option": {"Tuple": ["Int", "Bytes"]}}', json: '{"Some": [42, "aGVsbG8="]}' },
];
