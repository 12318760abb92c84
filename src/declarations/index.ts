/**
 * Reading Flow declarations: files to the Tools they declare, or to diagnostics. An entry of its own, a fifth of what the
 * core was with it, since a host is handed what was read before.
 */

export { DECLARATION_CODES, type DeclarationCode } from "./codes.ts";
export { type Diagnostic, renderDiagnostic } from "./diagnostic.ts";
export {
  type FileOutline,
  type HighlightKind,
  type HighlightToken,
  type OutlineDeclaration,
  type OutlineMember,
  outlineFile,
  type SourceRange,
} from "./outline.ts";
export type { ProgramSource, RepositorySource, SourceFiles } from "./program.ts";
export { type ReadProgram, type RefusedProgram, readProgram } from "./read.ts";
