/**
 * Terms and templates (*Type descriptions*): the structure of Flow types, as plain data. What stands in these types
 * was validated by a reader of this room; nothing else makes them.
 */

export const PRIMITIVES = ["Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never", "json.Value"] as const;

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

export interface Field {
  readonly name: string;
  readonly type: Term;
  readonly doc: string | null;
}

/** What a constructor carries: nothing, parts by position, or parts by name. */
export type Payload = null | { readonly positional: readonly Term[] } | { readonly named: readonly Field[] };

export interface Constructor {
  readonly name: string;
  readonly doc: string | null;
  readonly payload: Payload;
}

interface CommonTemplate {
  readonly name: string;
  readonly identity: string;
  readonly lexical_ordinal: number;
  /** The declared type parameters' names. */
  readonly generic: readonly string[];
  readonly opaque: boolean;
  readonly doc: string | null;
}

export interface RecordTemplate extends CommonTemplate {
  readonly kind: "record";
  readonly fields: readonly Field[];
}

export interface EnumTemplate extends CommonTemplate {
  readonly kind: "enum";
  readonly constructors: readonly Constructor[];
}

/** A host type (its values are tokens), or a type that is no data at all. */
export interface BodilessTemplate extends CommonTemplate {
  readonly kind: "host" | "nondata";
}

export type Template = RecordTemplate | EnumTemplate | BodilessTemplate;

/** Local declaration id to template. */
export type Declarations = ReadonlyMap<string, Template>;

export interface Parameter {
  readonly name: string;
  readonly type: Term;
}

/** The description of one Tool declaration: its roots and exactly what they reach. */
export interface TypeSpec {
  readonly generic: readonly string[];
  readonly params: readonly Parameter[];
  readonly ok: Term;
  readonly err: Term;
  readonly declarations: Declarations;
}

/** The types of one generic call: the same terms, with every type parameter bound. */
export interface TypesView {
  readonly bindings: readonly Parameter[];
  readonly params: readonly Parameter[];
  readonly ok: Term;
  readonly err: Term;
  readonly declarations: Declarations;
}

/** A concrete term (no free Param) with the templates it reaches. */
export interface ConcreteType {
  readonly type: Term;
  readonly declarations: Declarations;
}
