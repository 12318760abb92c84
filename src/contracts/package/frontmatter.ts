/**
 * The frontmatter of `FLOW.md`: YAML between two lines of three hyphens, in a form so narrow that every reader sees the
 * same value. The library parses to tokens first; they are counted while they come, and searched for what is not
 * allowed before any node is built.
 */

import { Composer, type CST, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser } from "yaml";
import { FlowError, isFlowError } from "../../json/errors.ts";
import { childPointer } from "../../json/pointer.ts";
import { decodeUtf8 } from "../../json/text.ts";
import { admitJson1 } from "../admit.ts";
import { readJson1 } from "../json1.ts";
import { bareObject, type Json1Value } from "../model.ts";

/** What frontmatter may hold, inclusive. */
export const FRONTMATTER_LIMITS: Readonly<{ bytes: number; depth: number; nodes: number; entries: number; fileBytes: number }> =
  Object.freeze({
    bytes: 262_144,
    depth: 16,
    nodes: 4_096,
    entries: 256,
    /** Of the whole `FLOW.md`; the limit of one JSON/1 document, since nothing fixes another. */
    fileBytes: 16_777_216,
  });

/** Frontmatter as a JSON/1 value, and the Markdown behind it. */
export interface FlowMarkdown {
  /** The frontmatter as a JSON/1 value, frozen. */
  readonly frontmatter: Json1Value;
  /** The text behind it. */
  readonly body: string;
}

/**
 * Reads the bytes of a `FLOW.md`.
 * @throws FlowError `PACKAGE_ENCODING_INVALID`, `PACKAGE_FRONTMATTER_INVALID`, `PACKAGE_YAML_INVALID` or
 *   `PACKAGE_LIMIT_EXCEEDED`.
 */
export function readFlowMarkdown(bytes: Uint8Array): FlowMarkdown {
  if (bytes.byteLength > FRONTMATTER_LIMITS.fileBytes) throw tooMany(`a FLOW.md of at most ${FRONTMATTER_LIMITS.fileBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new FlowError("PACKAGE_ENCODING_INVALID", "expected FLOW.md in UTF-8, met bytes that are not UTF-8");
  if (text.startsWith("\ufeff")) throw new FlowError("PACKAGE_ENCODING_INVALID", "expected FLOW.md without a byte-order mark");
  const { yaml, body } = split(text);
  return { frontmatter: readYaml(yaml), body };
}

function split(text: string): { yaml: string; body: string } {
  const opening = /^---\r?\n/.exec(text);
  if (opening === null) throw new FlowError("PACKAGE_FRONTMATTER_INVALID", 'expected FLOW.md to begin with a line "---"');
  const start = opening[0].length;
  const closing = /^---(?:\r?\n|$)/my;
  for (let line = start; line >= start && line <= text.length; line = text.indexOf("\n", line) + 1) {
    // The limit is in bytes, of which there are at least as many as units.
    if (line - start > FRONTMATTER_LIMITS.bytes) throw tooMany(`frontmatter of at most ${FRONTMATTER_LIMITS.bytes} bytes`);
    closing.lastIndex = line;
    const met = closing.exec(text);
    if (met === null) continue;
    const yaml = text.slice(start, line);
    if (new TextEncoder().encode(yaml).byteLength > FRONTMATTER_LIMITS.bytes) {
      throw tooMany(`frontmatter of at most ${FRONTMATTER_LIMITS.bytes} bytes`);
    }
    return { yaml, body: text.slice(line + met[0].length) };
  }
  throw new FlowError("PACKAGE_FRONTMATTER_INVALID", 'expected a line "---" behind the frontmatter');
}

function tooMany(expected: string, at = ""): FlowError {
  return new FlowError("PACKAGE_LIMIT_EXCEEDED", `expected ${expected}`, { at });
}

function invalid(message: string, at = ""): FlowError {
  // The library repeats in its sentences what it could not read.
  const said = message.length <= LONGEST_SENTENCE ? message : `${message.slice(0, LONGEST_SENTENCE)}…`;
  return new FlowError("PACKAGE_YAML_INVALID", said, { at });
}

const LONGEST_SENTENCE = 300;

function readYaml(yaml: string): Json1Value {
  const tokens = parse(yaml);
  for (const token of tokens) inspect(token);
  const documents = [...new Composer({ schema: "failsafe", merge: false, uniqueKeys: true, prettyErrors: false }).compose(tokens)];
  const [document] = documents;
  if (document === undefined) throw invalid("expected a map of fields, met nothing");
  if (documents.length > 1) throw invalid("expected one YAML document");
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw invalid(fault.message);
  const converted = new Converter().value(document.contents, 1, "");
  try {
    return admitJson1(converted);
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    throw new FlowError("PACKAGE_YAML_INVALID", `expected a JSON/1 value: ${caught.message}`, { at: caught.at, cause: caught });
  }
}

/** The token trees of a text. Nesting and wide collections end it while they are being read. */
function parse(yaml: string): CST.Token[] {
  const { depth, entries } = FRONTMATTER_LIMITS;
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(yaml)) {
    tokens.push(...parser.next(lexeme));
    // On the parser's stack stand the document, the collections that are open, and one node that is not finished.
    if (parser.stack.length > depth + 2) throw tooMany(`frontmatter nested at most ${depth} deep`);
    const top = parser.stack.at(-1);
    if (top !== undefined && "items" in top && top.items.length > 4 * entries)
      throw tooMany(`at most ${entries} entries in a map or sequence`);
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Tokens that stand for what frontmatter may not have. */
const REFUSED: Readonly<Record<string, string>> = {
  anchor: "an anchor",
  alias: "an alias",
  tag: "an explicit tag",
  directive: "a directive",
  error: "a syntax error",
};

/**
 * Refuses what is not allowed, and more than could be within the limits: a token tree is a little larger than the
 * values in it. The exact limits are held against the values.
 */
function inspect(root: CST.Token): void {
  const { depth: deepest, nodes, entries } = FRONTMATTER_LIMITS;
  const stack: { token: CST.Token; depth: number }[] = [{ token: root, depth: 0 }];
  let count = 0;
  const push = (token: CST.Token | null | undefined, depth: number): void => {
    if (token !== null && token !== undefined) stack.push({ token, depth });
  };
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { token, depth } = top;
    const refused = Object.hasOwn(REFUSED, token.type) ? REFUSED[token.type] : undefined;
    if (refused !== undefined) throw invalid(`expected plain YAML, met ${refused}${"message" in token ? `: ${token.message}` : ""}`);
    if (depth > deepest + 1) throw tooMany(`frontmatter nested at most ${deepest} deep`);
    if (++count > 16 * nodes) throw tooMany(`frontmatter of at most ${nodes} nodes`);
    for (const part of parts(token)) push(part, depth);
    if (token.type === "document") push(token.value, depth + 1);
    if (!("items" in token)) continue;
    if (token.items.length > 4 * entries) throw tooMany(`at most ${entries} entries in a map or sequence`);
    for (const item of token.items) {
      for (const part of [...item.start, ...(item.sep ?? [])]) push(part, depth);
      push(item.key, depth + 1);
      push(item.value, depth + 1);
    }
  }
}

/** The tokens beside a node, among which anchors and tags stand. */
function parts(token: CST.Token): readonly CST.Token[] {
  const found: CST.Token[] = [];
  if ("start" in token) found.push(...(Array.isArray(token.start) ? token.start : [token.start]));
  if ("props" in token) found.push(...token.props);
  return found;
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

class Converter {
  private nodes = 0;

  value(node: ParsedNode | null, depth: number, at: string): Json1Value {
    const { depth: deepest, nodes } = FRONTMATTER_LIMITS;
    if (depth > deepest) throw tooMany(`frontmatter nested at most ${deepest} deep`, at);
    if (++this.nodes > nodes) throw tooMany(`frontmatter of at most ${nodes} nodes`, at);
    if (isMap(node)) {
      this.entries(node.items.length, at);
      const members = bareObject();
      for (const { key, value } of node.items) {
        const name = this.key(key as ParsedNode | null, at);
        members[name] = this.value(value as ParsedNode | null, depth + 1, childPointer(at, name));
      }
      return members;
    }
    if (isSeq(node)) {
      this.entries(node.items.length, at);
      return node.items.map((item, i) => this.value(item as ParsedNode, depth + 1, childPointer(at, i)));
    }
    return isScalar(node) ? scalarOf(node.value, node.type, at) : "";
  }

  private entries(count: number, at: string): void {
    const { entries } = FRONTMATTER_LIMITS;
    if (count > entries) throw tooMany(`at most ${entries} entries in a map or sequence`, at);
  }

  private key(node: ParsedNode | null, at: string): string {
    const name = isScalar(node) ? scalarOf(node.value, node.type, at) : undefined;
    if (typeof name !== "string") throw invalid("expected string keys only", at);
    if (name === "<<" && isScalar(node) && node.type === "PLAIN") throw invalid("expected no merge key", at);
    return name;
  }
}

/** Plain `null`, `true`, `false` and JSON numbers are those values; every other scalar is a string. */
function scalarOf(value: unknown, style: string | null | undefined, at: string): Json1Value {
  const text = typeof value === "string" ? value : "";
  if (style !== "PLAIN") return text;
  if (text === "null") return null;
  if (text === "true") return true;
  if (text === "false") return false;
  if (!JSON_NUMBER.test(text)) return text;
  try {
    return readJson1(text);
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    throw new FlowError("PACKAGE_YAML_INVALID", caught.message, { at, cause: caught });
  }
}
