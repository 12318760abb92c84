/** Codecs: the public face of a compiled type. */
import { asFlowError, FlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { Output } from "../json/output.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import { schemaOf } from "../schema/schema.ts";
import { readConcreteType } from "../types/concrete.ts";
import type { Declarations, Term } from "../types/terms.ts";
import { Compiler, type Entry } from "./compile.ts";
import { contextOf, type Decodable, decodeText, decodeTree, type Grant, type Mode } from "./decode.ts";
import type { DecodeContext } from "./node.ts";
import { type StandardProps, standardProps } from "./standard.ts";

/** How a text is decoded. */
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
  /** The type. */
  readonly term: Term;
  /** The templates that it names. */
  readonly declarations: Declarations;
  private readonly type: Decodable;
  private standard: StandardProps<T> | undefined;

  /** @internal */
  constructor(term: Term, declarations: Declarations, type: Decodable) {
    this.term = term;
    this.declarations = declarations;
    this.type = type;
    this.compare = this.compare.bind(this);
  }

  /** The type as a person would write it, its declarations by the name of their file: `List<docs.Item>`. */
  get title(): string {
    return this.type.node.title;
  }

  /**
   * The value of a JSON text, of its UTF-8 bytes, or of exact JSON.
   *
   * A string is always a text; to decode a JSON string value, give its text.
   * @throws FlowError with a code of R35, the pointer of the first fault, and what was expected there.
   */
  decode(source: string | Uint8Array | Exclude<JsonValue, string>, options: DecodeOptions = {}): T {
    const context = contextFor(options);
    const limits = resolveLimits(options.limits);
    try {
      return (
        typeof source === "string" || source instanceof Uint8Array
          ? decodeText(this.type, source, context, limits)
          : decodeTree(this.type, source, context, limits)
      ) as T;
    } catch (caught) {
      throw asFlowError(caught);
    }
  }

  /** @internal The value of JSON that `parseJson` read under the limits that count; a string is a JSON string here. */
  decodeRead(json: JsonValue, mode: Mode, grant: Grant): T {
    try {
      return this.type.node.decode(json, contextOf(mode, grant)) as T;
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
      return Output.textOf(bounds, (output) => this.type.node.write(value, output));
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
    const bounds = resolveLimits(limits);
    try {
      Output.judge(bounds, (output) => this.type.node.write(value, output));
    } catch (caught) {
      throw asFlowError(caught);
    }
  }

  /**
   * The order of two values (R12): negative, zero or positive. Bound to the codec, so that it can be handed to
   * `FlowSet.from`.
   * @throws FlowError `order` for types whose values have none (host tokens, functions, Tasks).
   */
  compare(a: T, b: T): number {
    try {
      return this.type.node.compare(a, b);
    } catch (caught) {
      // Values that hold themselves have no order, and no encoding either.
      if (caught instanceof RangeError) throw new FlowError("limit", "expected values whose nesting ends (limit depth)", { cause: caught });
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
    this.standard ??= standardProps(this.type, () => this.schema());
    return this.standard;
  }
}

function contextFor({ mode = "lenient", grant = "none" }: DecodeOptions): DecodeContext {
  if (mode !== "lenient" && mode !== "strict")
    throw new FlowError("usage", `expected the mode "lenient" or "strict", met ${JSON.stringify(mode)}`);
  if (grant !== "none" && grant !== "tokens" && grant !== "all") {
    throw new FlowError("usage", `expected the grant "none", "tokens" or "all", met ${JSON.stringify(grant)}`);
  }
  return contextOf(mode, grant);
}

/** What was compiled for validated declarations: a codec for each distinct type. */
interface Compiled {
  readonly compiler: Compiler;
  readonly codecs: Map<Entry, Codec>;
}

const compiled = new WeakMap<Declarations, Compiled>();

/** The codecs of the primitives, which need no declarations. */
const primitives = new Map<string, Codec>();

/**
 * The codec of a concrete term.
 * @param term A term as *Type descriptions* writes it: `"Int"`, `{ List: "Text" }`, `{ Named: … }`.
 * @param declarations The templates it reaches: those of a description that was read (`spec.declarations`), for which
 *   codecs are kept, or JSON, which is read anew each time.
 * @throws FlowError with a code of R35 where term or declarations are not valid, `bounds` for declarations that stand
 *   for too many types.
 */
export function codecFor<T = unknown>(term: Term, declarations?: Declarations | JsonObject): Codec<T> {
  if (declarations instanceof Map) return codecOf(term, declarations) as Codec<T>;
  const known = typeof term === "string" && declarations === undefined ? primitives.get(term) : undefined;
  if (known !== undefined) return known as Codec<T>;
  const read = readConcreteType(term as unknown as JsonValue, (declarations as JsonObject | undefined) ?? jsonObject({}));
  const codec = codecOf(read.type, read.declarations);
  if (typeof read.type === "string") primitives.set(read.type, codec);
  return codec as Codec<T>;
}

function codecOf(term: Term, declarations: Declarations): Codec {
  let made = compiled.get(declarations);
  if (made === undefined) {
    made = { compiler: new Compiler(declarations), codecs: new Map() };
    compiled.set(declarations, made);
  }
  const { compiler, codecs } = made;
  let entry: Entry;
  try {
    entry = compiler.compile(term);
  } catch (caught) {
    // Half of its nodes may have no parts yet: the next one starts afresh.
    compiled.delete(declarations);
    throw caught;
  }
  let codec = codecs.get(entry);
  if (codec === undefined) {
    codec = new Codec(term, declarations, { node: entry.node, longestName: compiler.longestName });
    codecs.set(entry, codec);
  }
  return codec;
}
