/**
 * The rooms that are mutated, the tests that judge each, and the score each has to keep.
 *
 * A room is judged by its own tests, and by those of other rooms only where they say what it does. Tests of large documents,
 * of time and of memory stay out: each takes longer than all others together, and what they notice no exact test could.
 *
 * @type {Readonly<Record<string, { readonly files?: readonly string[], readonly tests: readonly string[], readonly without?: RegExp, readonly floor: number }>>}
 */
export const ROOMS = {
  json: {
    tests: ["test/json/*.test.ts"],
    without: /^(?:stops long before a text|writes texts that fill its memory)/,
    floor: 90,
  },
  types: {
    tests: ["test/types/*.test.ts"],
    without: /^(?:4,096 |arguments that rotate|stays linear)/,
    floor: 90,
  },
  codec: {
    tests: ["test/codec/!(denial|schema-differential).test.ts"],
    without: /^hold for numbers of every spelling/,
    floor: 86,
  },
  protocol: {
    // What reads and writes messages. What sends them is judged by real Workers and processes, at seconds for each mutant.
    files: ["description.ts", "gathered.ts", "lines.ts", "messages.ts", "outcome.ts", "oversized.ts", "spans.ts"],
    tests: ["test/protocol/*.test.ts"],
    without: /^a reason past the limit of a string/,
    floor: 93,
  },
};
