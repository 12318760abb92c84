/** Codecs: the public face of a compiled type. */
import { asFlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { readExact, tooMany } from "../json/read.ts";
import { exceedsUtf8 } from "../json/text.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { schemaOf } from "../schema/schema.ts";
import { readConcreteType } from "../types/concrete.ts";
import type { Declarations, Term } from "../types/terms.ts";
import { Compiler } from "./compile.ts";
import { decodeRead, decodeText, decodeTree, type Grant, type Mode } from "./decode.ts";
import type { Node } from "./node.ts";
import { HAZARD, scan } from "./scan.ts";
import { type StandardProps, standardProps } from "./standard.ts";

export interface DecodeOptions {
  /** `lenient` (the default) skips members that a record does not declare, `strict` refuses them (R5). */
  readonly mode?: Mode;
  /** What may be built beside plain data (R14); `none` is the default. */
  readonly grant?: Grant;
  /** Where they differ from the defaults (R13). */
  readonly limits?: Partial<Limits>;
}

/**
 * One concrete type, ready for use. Compiled once for a graph of declarations; {@link codecFor} returns the same
 * codec for the same term and declarations. It is a Standard Schema, with its JSON Schema.
 */
export class Codec<T = unknown> {
  readonly term: Term;
  readonly declarations: Declarations;
  private readonly node: Node;
  private standard: StandardProps<T> | undefined;

  /** @internal */
  constructor(term: Term, declarations: Declarations, node: Node) {
    this.term = term;
    this.declarations = declarations;
    this.node = node;
    this.compare = this.compare.bind(this);
  }

  /** The type as a person would write it, its declarations by the name of their file: `List<docs.Item>`. */
  get title(): string {
    return this.node.title;
  }

  /**
   * The value of a JSON text, of its UTF-8 bytes, or of exact JSON.
   *
   * A string is always a text; to decode a JSON string value, give its text.
   * @throws FlowError with a code of R35, the pointer of the first fault, and what was expected there.
   */
  decode(source: string | Uint8Array | Exclude<JsonValue, string>, options: DecodeOptions = {}): T {
    const { mode = "lenient", grant = "none" } = options;
    const limits = resolveLimits(options.limits);
    try {
      return (
        typeof source === "string" || source instanceof Uint8Array
          ? decodeText(this.node, source, mode, grant, limits)
          : decodeTree(this.node, source, mode, grant, limits)
      ) as T;
    } catch (caught) {
      throw asFlowError(caught);
    }
  }

  /** @internal The value of JSON that `parseJson` read under the limits that count; a string is a JSON string here. */
  decodeRead(json: JsonValue, mode: Mode, grant: Grant): T {
    try {
      return decodeRead(this.node, json, mode, grant) as T;
    } catch (caught) {
      throw asFlowError(caught);
    }
  }

  /**
   * The canonical text of a value, which is checked against the type on the way.
   * @throws FlowError as {@link check} does.
   */
  encode(value: T, limits?: Partial<Limits>): string {
    const bounds = resolveLimits(limits);
    try {
      const text = this.node.write(value, { limits: bounds, depth: 1 });
      requireWithin(text, bounds);
      return text;
    } catch (caught) {
      throw asFlowError(caught);
    }
  }

  /**
   * Checks a value that came from code in this process: what passes, encodes.
   * @throws FlowError `kind` and the other codes of R35, with the pointer of the first fault. A JavaScript number
   *   where an Int belongs is refused with a sentence that says `bigint`.
   */
  check(value: unknown, limits?: Partial<Limits>): asserts value is T {
    this.encode(value as T, limits);
  }

  /**
   * The order of two values (R12): negative, zero or positive. Bound to the codec, so that it can be handed to
   * `FlowSet.from`.
   * @throws FlowError `order` for types whose values have none (host tokens, functions, Tasks).
   */
  compare(a: T, b: T): number {
    try {
      return this.node.compare(a, b);
    } catch (caught) {
      throw asFlowError(caught);
    }
  }

  /** Whether two values are equal: neither is before the other. @throws FlowError as {@link compare} does. */
  equals(a: T, b: T): boolean {
    return this.compare(a, b) === 0;
  }

  /** The JSON Schema (draft 2020-12) of the type's encoding. */
  schema(): JsonObject {
    return schemaOf(this.term, this.declarations);
  }

  /** Standard Schema version 1: validation of parsed JSON (R44), and the JSON Schema of it. */
  get "~standard"(): StandardProps<T> {
    this.standard ??= standardProps(this.node, () => this.schema());
    return this.standard;
  }
}

/** A text that was just written is judged by the limits that writing did not count. @throws Refusal `limit` */
function requireWithin(text: string, limits: Limits): void {
  if (exceedsUtf8(text, limits.bytes)) throw tooMany("bytes", `a document of at most ${limits.bytes} UTF-8 bytes`);
  // Every value but the last takes at least two characters, itself and what parts it from the next.
  if (text.length > 2 * limits.values && scan(text, limits) === HAZARD) readExact(text, limits);
}

/** Compilers of validated declarations, each with its codecs by the number of its node. */
const compilers = new WeakMap<Declarations, Compiler>();
const codecs = new WeakMap<Compiler, Map<string, Codec>>();
const NO_DECLARATIONS: Declarations = new Map();

/**
 * The codec of a concrete term.
 * @param term A term as *Type descriptions* writes it: `"Int"`, `{ List: "Text" }`, `{ Named: … }`.
 * @param declarations The templates it reaches: those of a description that was read (`spec.declarations`), or JSON.
 * @throws FlowError with a code of R35 where term or declarations are not valid.
 */
export function codecFor<T = unknown>(term: Term, declarations: Declarations | JsonObject = NO_DECLARATIONS): Codec<T> {
  if (!(declarations instanceof Map)) {
    const read = readConcreteType(term as unknown as JsonValue, declarations as JsonObject);
    return codecFor<T>(read.type, read.declarations);
  }
  let compiler = compilers.get(declarations);
  if (compiler === undefined) {
    compiler = new Compiler(declarations);
    compilers.set(declarations, compiler);
    codecs.set(compiler, new Map());
  }
  const made = codecs.get(compiler) as Map<string, Codec>;
  const key = JSON.stringify(term);
  let codec = made.get(key);
  if (codec === undefined) {
    codec = new Codec(term, declarations, compiler.compile(term));
    made.set(key, codec);
  }
  return codec as Codec<T>;
}
