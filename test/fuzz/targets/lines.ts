/** The framing of lines, and the reader of lines too large to keep: the same whatever the chunks, and what a model says. */
import { decodeUtf8 } from "../../../src/json/text.ts";
import { LineReader } from "../../../src/protocol/lines.ts";
import { readMessage } from "../../../src/protocol/messages.ts";
import { type Oversized, OversizedReader } from "../../../src/protocol/oversized.ts";
import { randomFrom } from "../../types/random.ts";
import { mutateJson } from "../json-text.ts";
import { hashOf, require, requireSame, type Target } from "../target.ts";
import { asBytes, bytesOf, mutateBytes } from "../text.ts";
import { MESSAGE_WORDS, MESSAGES } from "./messages.ts";

const words = [
  "\n",
  "\r\n",
  "\n\n",
  "\0",
  "\u00ff",
  "\u00c0\u0080",
  "\u00ed\u00a0\u0080",
  "\u00f4\u0090\u0080\u0080",
  "\u00e2\u0080\u00a8",
  ...MESSAGE_WORDS,
];

export const lines: Target = {
  name: "lines",
  seeds: [
    ...MESSAGES.map((text) => `${asBytes(text)}\n`),
    asBytes(`${MESSAGES.join("\n")}\n`),
    "\n",
    "print\n",
    `${"x".repeat(300)}\n{}\n`,
  ],
  mutate: (input, random, other) =>
    random(2) === 0 ? asBytes(mutateJson(input, random, words, other)) : mutateBytes(input, random, words, other),
  check(input) {
    const bytes = bytesOf(input);
    const random = randomFrom(hashOf(input, 1_000_000));
    for (const limit of [1 + hashOf(input, 40), 200]) {
      const expected = model(bytes, limit);
      requireSame(framed([bytes], limit), expected, `lines of at most ${limit} bytes, in one chunk`);
      if (bytes.length < 500)
        requireSame(
          framed(
            cut(bytes, () => 1),
            limit,
          ),
          expected,
          `lines of at most ${limit} bytes, byte by byte`,
        );
      requireSame(
        framed(
          cut(bytes, () => random(random(3) === 0 ? 200 : 5)),
          limit,
        ),
        expected,
        `lines of at most ${limit} bytes, cut anywhere`,
      );
    }
  },
};

/** Chunks, empty ones among them. */
function cut(bytes: Uint8Array, next: () => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = next();
    // Each in memory of its own, which is overwritten once it was pushed, as a stream may do.
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return chunks;
}

/** What a reader tells of chunks, as one text. */
function framed(chunks: readonly Uint8Array[], limit: number): string {
  const events: string[] = [];
  const reader = new LineReader(limit, {
    line: (text) => events.push(`line ${JSON.stringify(text)}`),
    malformed: (detail) => events.push(`malformed ${detail}`),
    oversized: (message) => events.push(`oversized ${JSON.stringify(message)}`),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return events.join("\n");
}

/** The same told by splitting the whole. */
function model(bytes: Uint8Array, limit: number): string {
  const events: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const line = bytes.subarray(start, end);
    const text = decodeUtf8(line);
    if (line.length > limit) events.push(`oversized ${JSON.stringify(oversizedOf(line, text))}`);
    else if (text === undefined) events.push(`malformed a line of ${line.length} bytes that are not UTF-8`);
    else events.push(`line ${JSON.stringify(text)}`);
    start = end + 1;
  }
  if (start < bytes.length) events.push(`malformed ${bytes.length - start} bytes without a line feed at the end of the stream`);
  return events.join("\n");
}

/** The answer of the reader that keeps nothing, held against that of the reader of messages. */
function oversizedOf(line: Uint8Array, text: string | undefined): Oversized {
  const reader = new OversizedReader();
  reader.push(line);
  const found = reader.end();
  if (text === undefined) return found;
  const message = readMessage(text);
  if (message.kind === "reply" || message.kind === "call" || message.kind === "bad-call") {
    const kind = message.kind === "reply" ? "reply" : "call";
    requireSame(JSON.stringify(found), JSON.stringify({ kind, ids: { run: message.run, call: message.call } }), "ids of a large message");
    return found;
  }
  // Which of two members by which a message is known counts, nobody can say; where none of them does, this reader has stopped all the same.
  if (found.kind === "unreadable" && found.detail.endsWith("twice")) return found;
  if (message.kind === "response" || message.kind === "request") {
    const isShort = message.id.length < 1_000;
    if (isShort) requireSame(JSON.stringify(found), JSON.stringify({ kind: message.kind, id: message.id }), "the id of a large message");
  } else if (message.kind === "notification") requireSame(found.kind, "other", "a large notification");
  // JSON that is no message (a member twice, say) may be told by its ids alone.
  else if (message.kind === "malformed" && !message.isJson)
    require(found.kind === "other" || found.kind === "unreadable", "a large line that is no JSON", found);
  return found;
}
