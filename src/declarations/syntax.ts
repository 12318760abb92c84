/** The declarations of one file as they are written: names stand for themselves, nothing has been looked up. */

/** Offsets into the file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Name extends Span {
  readonly text: string;
}

/** A type where it is used. */
export type TypeNode = NamedNode | TupleNode | FunctionNode;

export interface NamedNode extends Span {
  readonly kind: "named";
  readonly alias: Name | undefined;
  readonly name: Name;
  readonly args: readonly TypeNode[];
}

export interface TupleNode extends Span {
  readonly kind: "tuple";
  readonly parts: readonly TypeNode[];
}

export interface FunctionNode extends Span {
  readonly kind: "function";
  readonly params: readonly TypeNode[];
  readonly result: TypeNode;
}

/** `use "path"`. */
export interface UseNode extends Span {
  readonly kind: "use";
  readonly path: string;
  /** The path's string, quotes included. */
  readonly at: Span;
  /** The last segment, where it is a name. */
  readonly alias: Name | undefined;
}

export interface FieldNode {
  readonly name: Name;
  readonly type: TypeNode;
  readonly doc: string | null;
  readonly isPublic: boolean;
}

export type PayloadNode = null | { readonly positional: readonly TypeNode[] } | { readonly named: readonly FieldNode[] };

export interface ConstructorNode {
  readonly name: Name;
  readonly doc: string | null;
  readonly payload: PayloadNode;
}

export type TypeBody =
  | { readonly kind: "record"; readonly fields: readonly FieldNode[] }
  | { readonly kind: "enum"; readonly constructors: readonly ConstructorNode[] }
  | { readonly kind: "host" };

interface DeclarationNode extends Span {
  readonly name: Name;
  readonly isPublic: boolean;
  readonly generic: readonly Name[];
  readonly doc: string | null;
  /** Whether part of it could not be read: what is there is right, what is missing says nothing. */
  readonly isBroken: boolean;
}

export interface TypeDeclaration extends DeclarationNode {
  readonly kind: "type";
  readonly isOpaque: boolean;
  readonly body: TypeBody;
}

export interface ParameterNode {
  readonly name: Name;
  readonly type: TypeNode;
}

/** `@tool flow`. */
export interface ToolDeclaration extends DeclarationNode {
  readonly kind: "tool";
  readonly params: readonly ParameterNode[];
  /** What stands after `->`; `undefined` where nothing does. */
  readonly result: TypeNode | undefined;
}

/** A flow that is no Tool, header and body skipped. */
export interface SkippedFlow extends Span {
  readonly kind: "flow";
  readonly name: Name | undefined;
  readonly isPublic: boolean;
  readonly doc: string | null;
}

export type FileItem = UseNode | TypeDeclaration | ToolDeclaration | SkippedFlow;
