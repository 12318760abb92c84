/**
 * The one error class of the project, and the light-weight refusal from which most of them are made.
 *
 * A refusal is thrown deep inside a reader or a codec, collects its JSON Pointer while it travels outwards, and
 * becomes a {@link FlowError} at the public surface. It is not an `Error`: capturing a stack for a value that is
 * about to be explained anyway costs more than decoding a small document.
 */
import { escapeSegment } from "./pointer.ts";

/** A place in a source file. Lines and columns count from 1; columns count UTF-16 code units. */
export interface FilePlace {
  /** The path of the file, as it was given. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** What a {@link FlowError} is made of beside its sentence. */
export interface FlowErrorDetails {
  /** A JSON Pointer (RFC 6901) into the value or description, or a place in a file. */
  readonly at?: string | FilePlace;
  /** For a fault of a text: the offset in UTF-16 code units (in bytes where bytes were read) from its start. */
  readonly offset?: number;
  /** What was caught. */
  readonly cause?: unknown;
  /** The declaration it concerns, by its identity, where one is concerned. */
  readonly tool?: string;
  /** Further errors reported together with this one. */
  readonly errors?: readonly FlowError[];
}

/** Shared by every copy of the library on a page, so that an error of one bundle is recognised by another. */
const BRAND = Symbol.for("flow-host.FlowError");

/**
 * Everything this library refuses, it refuses with this error.
 * `code` is stable and belongs to one of the closed lists of `docs/decisions.md` (R35); the message is for people.
 */
export class FlowError extends Error {
  /** A code of R35's lists. */
  readonly code: string;
  /** A JSON Pointer, or a place in a file; `""` where there is none to name. */
  readonly at: string | FilePlace;
  /** Where in the text, in the units it was given in: bytes, or UTF-16 code units. */
  readonly offset: number | undefined;
  /** The identity of the declaration that it is about. */
  readonly tool: string | undefined;
  /** The errors that it gathers; empty where it stands for itself. */
  readonly errors: readonly FlowError[];

  constructor(code: string, message: string, details: FlowErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "FlowError";
    this.code = code;
    this.at = details.at ?? "";
    this.offset = details.offset;
    this.tool = details.tool;
    this.errors = details.errors ?? [];
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether `value` is a {@link FlowError}, of this copy of the library or another. */
export function isFlowError(value: unknown): value is FlowError {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}

/** A text as it stands in a sentence: cut where it is long, since it can be as long as a document. */
export function abridged(text: string, longest = 40): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 8)}… ${lengthOf(text)}`;
}

/** The same in quotes; what is said of its length stands outside them. */
export function quoted(text: string, longest = 40): string {
  if (text.length <= longest) return JSON.stringify(text);
  return `${JSON.stringify(`${text.slice(0, longest - 8)}…`)} ${lengthOf(text)}`;
}

function lengthOf(text: string): string {
  return `(${text.length} characters)`;
}

/** Of a pointer, in a sentence: names can be as long as documents. */
const LONGEST_SHOWN = 200;

/** A refusal on its way out. `at` grows at the front as containers are left. */
export class Refusal {
  at = "";
  /** The declaration whose value holds the place (`document.Document`), once one has been left. */
  owner: string | undefined = undefined;
  readonly code: string;
  /** What the type or grammar wanted, as it reads after "expected ". */
  readonly expected: string;
  /** What stood there, as it reads after "met "; empty where nothing useful can be said. */
  readonly met: string;
  /** In UTF-16 code units, until it is known to have been a fault of bytes. */
  offset: number | undefined;

  constructor(code: string, expected: string, met = "", offset?: number) {
    this.code = code;
    this.expected = expected;
    this.met = met;
    this.offset = offset;
  }

  /** Puts one more pointer segment in front: the member or index of the container that is being left. */
  under(segment: string | number): this {
    const text = typeof segment === "number" ? String(segment) : escapeSegment(segment);
    this.at = `/${text}${this.at}`;
    return this;
  }

  toFlowError(): FlowError {
    const owner = this.owner === undefined ? "" : ` of ${this.owner}`;
    const at = this.at.length <= LONGEST_SHOWN ? this.at : `${this.at.slice(0, LONGEST_SHOWN)}…`;
    const place = at === "" ? (owner === "" ? " at the root" : `${owner.replace(" of", " for")}`) : ` at ${at}${owner}`;
    const met = this.met === "" ? "" : `, met ${this.met}`;
    const details = this.offset === undefined ? { at: this.at } : { at: this.at, offset: this.offset };
    return new FlowError(this.code, `expected ${this.expected}${place}${met}`, details);
  }
}

/** The refusal of a document as such, which has no place among its values: its pointer stays the root. */
export class DocumentRefusal extends Refusal {
  override under(): this {
    return this;
  }
}

/** Turns a caught refusal into its error and passes everything else on unchanged. */
export function asFlowError(caught: unknown): unknown {
  return caught instanceof Refusal ? caught.toFlowError() : caught;
}
