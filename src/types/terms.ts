/**
 * Terms and templates (*Type descriptions*): the structure of Flow types, as plain data. What stands in these types
 * was validated by a reader of this room; nothing else makes them.
 */

export const PRIMITIVES = ["Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never", "json.Value"] as const;

/** One of the types that have no parts. */
export type Primitive = (typeof PRIMITIVES)[number];

/** One term, in the very shape it has as JSON. */
export type Term =
  | Primitive
  | { readonly List: Term }
  | { readonly Set: Term }
  | { readonly Option: Term }
  | { readonly Task: Term }
  | { readonly Dict: readonly [Term, Term] }
  | { readonly Tuple: readonly Term[] }
  | { readonly Function: { readonly params: readonly Term[]; readonly result: Term } }
  | { readonly Named: { readonly declaration: string; readonly args: readonly Term[] } }
  | { readonly Param: { readonly owner: string; readonly index: number } };

/** A field of a record, or a named part of a constructor. */
export interface Field {
  /** Its name, unique in its record or constructor. */
  readonly name: string;
  /** Its type. Of an Option it is a field that may be absent (R4). */
  readonly type: Term;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
}

/** What a constructor carries: nothing, parts by position, or parts by name. */
export type Payload = null | { readonly positional: readonly Term[] } | { readonly named: readonly Field[] };

/** A constructor of an enum. */
export interface Constructor {
  /** Its name, unique in its enum. */
  readonly name: string;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
  /** What it carries. */
  readonly payload: Payload;
}

interface CommonTemplate {
  /** The declared name. */
  readonly name: string;
  /** The identity (R19). */
  readonly identity: string;
  /** Which declaration of that name it is in its file, from 1 (R23). */
  readonly lexical_ordinal: number;
  /** The declared type parameters' names. */
  readonly generic: readonly string[];
  /** Whether only its own file may make its values. */
  readonly opaque: boolean;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
}

/** The declaration of a record. */
export interface RecordTemplate extends CommonTemplate {
  /** Which of the declarations this is. */
  readonly kind: "record";
  /** In order of declaration, which decides how values compare (R12). */
  readonly fields: readonly Field[];
}

/** The declaration of an enum. */
export interface EnumTemplate extends CommonTemplate {
  /** Which of the declarations this is. */
  readonly kind: "enum";
  /** In order of declaration, which decides how values compare (R12). */
  readonly constructors: readonly Constructor[];
}

/** A host type (its values are tokens), or a type that is no data at all. */
export interface BodilessTemplate extends CommonTemplate {
  /** Which of the declarations this is. */
  readonly kind: "host" | "nondata";
}

/** The declaration of a type, which terms name by its local id. */
export type Template = RecordTemplate | EnumTemplate | BodilessTemplate;

/** Local declaration id to template. */
export type Declarations = ReadonlyMap<string, Template>;

/** A parameter of a Tool or of a program's input, or what a type parameter is bound to. */
export interface Parameter {
  /** Its name, unique in its list. */
  readonly name: string;
  /** Its type. */
  readonly type: Term;
}

/** The description of one Tool declaration: its roots and exactly what they reach. */
export interface TypeSpec {
  /** The names of the Tool's type parameters, in order. */
  readonly generic: readonly string[];
  /** The Tool's parameters, in order. */
  readonly params: readonly Parameter[];
  /** The type of its success. */
  readonly ok: Term;
  /** The type of its error. */
  readonly err: Term;
  /** The templates that the roots reach, and no others. */
  readonly declarations: Declarations;
}

/** The types of one generic call: the same terms, with every type parameter bound. */
export interface TypesView {
  /** What each type parameter is bound to, in order of declaration. */
  readonly bindings: readonly Parameter[];
  /** The Tool's parameters at the bound types. */
  readonly params: readonly Parameter[];
  /** The type of this call's success. */
  readonly ok: Term;
  /** The type of this call's error. */
  readonly err: Term;
  /** The templates that bindings and roots reach, and no others. */
  readonly declarations: Declarations;
}

/** A concrete term (no free Param) with the templates it reaches. */
export interface ConcreteType {
  /** The term. */
  readonly type: Term;
  /** The templates that it reaches. */
  readonly declarations: Declarations;
}
