/** What authors of Tools write against: results, contexts, and the types that generated source is made of. */
import type { Codec } from "../codec/codec.ts";
import type { JsonValue } from "../json/value.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { CallView } from "../signature/callview.ts";
import type { GenericTypes } from "../signature/writeview.ts";
import type { FlowDict } from "../values/dict.ts";
import type { FlowSet } from "../values/set.ts";
import type { Option } from "../values/shapes.ts";

/** The declared success value of a call. */
export interface Ok<T> {
  /** Says that it is one. */
  readonly tag: "Ok";
  /** The value. */
  readonly value: T;
}

/** The declared error value of a call. */
export interface Err<E> {
  /** Says that it is one. */
  readonly tag: "Failed";
  /** The error. */
  readonly value: E;
}

/** What a method returns (R42). Whatever it throws is Unknown. */
export type ToolResult<T, E> = Ok<T> | Err<E> | Promise<Ok<T> | Err<E>>;

/** A success. */
export function ok(): Ok<undefined>;
export function ok<const T>(value: T): Ok<T>;
export function ok(value?: unknown): Ok<unknown> {
  return { tag: "Ok", value };
}

/** The error that the declaration names. */
export function err(): Err<undefined>;
export function err<const E>(error: E): Err<E>;
export function err(error?: unknown): Err<unknown> {
  return { tag: "Failed", value: error };
}

/** What a method gets beside its arguments. */
export interface ToolContext {
  /** The id of the run that calls. */
  readonly run: string;
  /** The id of the call, unique in its run. */
  readonly call: string;
  /** Aborted when the host asks to stop; what is returned in time still counts. */
  readonly signal: AbortSignal;
}

/**
 * The context of a generic Tool's call: the caller's types, validated before the method runs. Values of a type
 * parameter are JSON; what depends on their types is asked of the codecs.
 */
export interface GenericToolContext<Parameters extends string> extends ToolContext {
  /** The types view with every type parameter bound. */
  readonly view: CallView;
  /** The schema of the success type, as the call gave it. */
  readonly schema: JsonValue;
  /** The codecs of the Tool's types, in which values of a type parameter are JSON. */
  readonly ok: Codec;
  /** The codec of the error type. */
  readonly err: Codec;
  /** The codec of a parameter's type. @throws FlowError `usage` for a name that no parameter has */
  argument(name: string): Codec;
  /**
   * The codec of what a type parameter is bound to, with values of its own in place of JSON; `undefined` where that has
   * none (a function, a Task), which refuses no call that needs none.
   */
  codec(parameter: Parameters): Codec | undefined;
  /** What the JSON of a type parameter stands for. @throws FlowError `not-decodable` where {@link codec} is `undefined` */
  fromJson(parameter: Parameters, json: JsonValue): unknown;
  /** The JSON that stands for a value of a type parameter. @throws FlowError as {@link fromJson} and `Codec.encode` do */
  toJson(parameter: Parameters, value: unknown): JsonValue;
  /** The order of two JSON values of a type parameter: by the bound type, not by JSON (R12). */
  compare(parameter: Parameters, a: JsonValue, b: JsonValue): number;
  /** Whether two JSON values of a type parameter are equal, by the bound type. */
  equals(parameter: Parameters, a: JsonValue, b: JsonValue): boolean;
  /** Collections of such values, in that order. */
  set(parameter: Parameters, items: Iterable<JsonValue>): FlowSet<JsonValue>;
  /** A dictionary with such keys, in that order. */
  dict<V>(parameter: Parameters, entries: Iterable<readonly [JsonValue, V]>): FlowDict<JsonValue, V>;
}

/** A record without fields, the arguments of a Tool without parameters. */
export type Empty = { readonly [name: string]: never };

/** What is used of a run to make a call. */
export interface ToolCaller {
  /** Makes a call, as `Run.call` does. */
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options?: ToolCallOptions & { readonly types?: GenericTypes },
  ): Promise<Outcome>;
}

/** How one call is made. */
export interface ToolCallOptions {
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the call is cancelled. */
  readonly timeoutMs?: number;
}

/** A generic call says what each type parameter stands for. */
export interface GenericCallOptions<Parameters extends string> extends ToolCallOptions {
  /** A term for each type parameter, and the templates those name. */
  readonly types: GenericTypes & { readonly bindings: Readonly<Record<Parameters, GenericTypes["bindings"][string]>> };
}

/**
 * Whether a field of this type is optional: an Option is (R4), and so may be the JSON of a type that is not known here.
 * Both directions are asked, since an enum of the one constructor None is no Option.
 */
type MayBeAbsent<T> = [T] extends [never]
  ? false
  : [JsonValue] extends [T]
    ? true
    : [T] extends [Option<infer Inner>]
      ? [Option<Inner>] extends [T]
        ? true
        : false
      : false;

type Present<T> = [JsonValue] extends [T] ? T : [T] extends [Option<infer Inner>] ? Inner : T;

/**
 * A record some of whose fields are of a bare type parameter: such a field is optional exactly where the argument is an
 * Option, since the shortcut follows the type after substitution (R4).
 */
export type Fields<Plain, Bare extends keyof Plain> = {
  readonly [Name in keyof Plain as Name extends Bare ? (MayBeAbsent<Plain[Name]> extends true ? never : Name) : Name]: Plain[Name];
} & {
  readonly [Name in Bare as MayBeAbsent<Plain[Name]> extends true ? Name : never]?: Present<Plain[Name]>;
};
