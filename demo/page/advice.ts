/** What is wrong with a text that someone typed: code, sentence, place, and one thing to try. */
import { type Declarations, type FlowError, isFlowError, type Term } from "flow-host";
import { exampleOf } from "./example.ts";
import { locate, type Range, tokenAt } from "./locate.ts";
import { shapeOf, termText, typeAt } from "./shape.ts";

export interface Fault {
  readonly code: string;
  readonly sentence: string;
  /** The place in the text. */
  readonly range: Range;
  /** The JSON Pointer of the place; empty for the whole value, and for faults that lie outside of any. */
  readonly pointer: string;
  /** One thing to try, a sentence, and where there is one the JSON it speaks of. */
  readonly advice: string;
  readonly example: string | undefined;
}

/** The type that a text was read as. */
export interface Typed {
  readonly term: Term;
  readonly declarations: Declarations;
  /** A valid text of it. */
  readonly example: string;
}

/**
 * Explains why a codec refused a text.
 * @throws what was caught, if it is nothing that a codec says
 */
export function explain(caught: unknown, text: string, typed: Typed): Fault {
  if (!isFlowError(caught)) throw caught;
  const pointer = typeof caught.at === "string" ? caught.at : "";
  return {
    code: caught.code,
    sentence: sentence(caught.message),
    range: rangeOf(caught, pointer, text),
    pointer,
    ...advise(caught, pointer, text, typed),
  };
}

function rangeOf({ code, offset }: FlowError, pointer: string, text: string): Range {
  if (offset !== undefined) return tokenAt(text, offset);
  return locate(text, pointer, code === "undeclared-member" || code === "duplicate-member");
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

type Advice = Pick<Fault, "advice" | "example">;

function advise({ code, offset = 0 }: FlowError, pointer: string, text: string, { term, declarations, example: whole }: Typed): Advice {
  const type = typeAt(term, declarations, pointer) ?? term;
  const name = termText(type, declarations);
  const example = type === term ? whole : exampleOf(type, declarations);
  const like = (advice: string): Advice => ({ advice: example === undefined ? advice : `${advice}, such as`, example });
  switch (code) {
    case "syntax":
      return syntaxAdvice(text, offset, type, whole);
    case "duplicate-member":
      return { advice: "Keep one of the members of that name and remove the others.", example: undefined };
    case "undeclared-member":
      return { advice: "Remove the member, or spell it as the type declares it.", example: undefined };
    case "missing-member":
      return like("Write every member that the type declares");
    case "lone-surrogate":
      return { advice: "Write both halves of the character, such as", example: '"\\ud83d\\ude00"' };
    case "limit":
      return { advice: "Write less: the limit named above is the largest that is taken.", example: undefined };
    case "not-whole":
      return { advice: "Write a whole number; 3.0 and 3e2 are whole too. Such as", example };
    case "order":
      return { advice: "Write the items in ascending order, each once.", example: undefined };
    case "unknown-constructor": {
      const shape = shapeOf(type, declarations);
      const names = shape.kind === "enum" ? shape.constructors.map((each) => each.name).join(", ") : "";
      return like(names === "" ? `Write a constructor of ${name}` : `Write one of ${names}`);
    }
    case "no-value":
    case "not-decodable":
      return { advice: `No text is a value of ${name}; leave it out.`, example: undefined };
    default:
      return like(`Write ${article(name)} ${name}`);
  }
}

/** A bare word, once typed, was most often meant as a text. */
const BARE = /^\s*[^\s"{}[\],:\d-][^"{}[\]]*$/;

function syntaxAdvice(text: string, offset: number, type: Term, example: string | undefined): Advice {
  if (text.trim() === "") return { advice: "Write a JSON value, such as", example };
  if (type === "Text" && BARE.test(text)) return { advice: "A text stands in double quotes:", example: JSON.stringify(text.trim()) };
  if (text[offset] === "'") return { advice: "JSON strings and names stand in double quotes, not in single ones.", example: undefined };
  if (/,\s*$/.test(text.slice(0, offset)) && /^[}\]]/.test(text.slice(offset))) {
    return { advice: "Remove the comma before it.", example: undefined };
  }
  if (/^0\d/.test(text.slice(offset - 1))) return { advice: "Remove the zero in front of the number.", example: undefined };
  return { advice: "Write JSON, such as", example };
}

function article(name: string): string {
  return /^[AEIO]/.test(name) ? "an" : "a";
}
