/** The closed list of codes with which declarations are refused (R35). */

export type DeclarationCode =
  | "text"
  | "syntax"
  | "unclosed"
  | "name-case"
  | "duplicate"
  | "reserved"
  | "annotation"
  | "unknown-name"
  | "private"
  | "arity"
  | "return-type"
  | "crossing"
  | "order"
  | "recursion"
  | "bounds"
  | "unresolved-import"
  | "path"
  | "import-cycle"
  | "two-versions"
  | "too-many";

/** Each code with what it means, in one line. */
export const DECLARATION_CODES: Readonly<Record<DeclarationCode, string>> = Object.freeze({
  text: "a file that is no Unicode text: a lone surrogate",
  syntax: "something stands where the grammar (R32) wants something else",
  unclosed: "a bracket or a string without its end",
  "name-case": "a type or constructor that starts lower-case, or a field, parameter, flow or alias that starts upper-case",
  duplicate: "a name a second time among the types, Tools or aliases of a file, or among the members of one declaration",
  reserved: "a declaration, type parameter or alias with the name of a built-in type, or `json`",
  annotation: "an annotation other than `@tool`",
  "unknown-name": "a type or an alias that is declared nowhere it could be seen from",
  private: "a type of another file that is not `pub` (R33)",
  arity: "another number of type arguments than the type has parameters",
  "return-type": "a Tool that does not return a `Result`",
  crossing: "a Function, a Task or (in a reply) an opaque type where a value crosses (R15)",
  order: "a Set item or a Dict key that has no order (R12)",
  recursion: "a type that can have no finite value, or one whose type arguments grow at each turn (R22)",
  bounds: "past what one description may hold (R24), or too large for any document",
  "unresolved-import": "a `use` of a repository or a file that is not part of the program",
  path: "a path that is misspelt, or that leaves its repository (R33)",
  "import-cycle": "a `use` on a cycle across repositories (R33)",
  "two-versions": "a repository that is part of the program twice (R33)",
  "too-many": "a file or a program with more faults than are listed",
});
