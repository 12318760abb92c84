/** The descriptions in generated source, read when they are first needed. */
import { FlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { requireDataVersion } from "../signature/dataversion.ts";
import { describedSignature, fingerprintOf } from "../signature/signature.ts";
import type { ToolEntry, ToolsDocument } from "../signature/tools.ts";
import { TypesMap } from "../types/program.ts";
import { pointer } from "../types/refuse.ts";
import type { Declarations, TypeSpec } from "../types/terms.ts";
import type { ToolCaller } from "./author.ts";

/** One Tool as generated source has it. */
export interface EmbeddedTool {
  /** Its identity. */
  readonly tool: string;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
  /** `sha256:` and 64 hexadecimal digits (R21). */
  readonly fingerprint: string;
  /** JSON text of its generic, params, ok and err. */
  readonly roots: string;
}

/** What generated source hands to {@link defineToolkit}. */
export interface EmbeddedTools {
  /** The data version it was generated from. */
  readonly data: string;
  /** By method. */
  readonly tools: Readonly<Record<string, EmbeddedTool>>;
  /** JSON text of the templates that the Tools reach together. */
  readonly types: string;
}

/** A Tool with its description and the method that stands for it. */
export interface ToolkitTool {
  /** The name of the method. */
  readonly method: string;
  /** The Tool's identity. */
  readonly tool: string;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
  /** `sha256:` and 64 hexadecimal digits (R21). */
  readonly fingerprint: string;
  /** Its types. */
  readonly spec: TypeSpec;
}

/** Made by generated source, and by nothing else. */
export function defineToolkit<Tools, Calls>(embedded: EmbeddedTools): Toolkit<Tools, Calls> {
  return new Toolkit(embedded);
}

/**
 * The Tools of one generated module. Importing it costs nothing: descriptions are read at the first use.
 * @typeParam Tools What an author implements.
 * @typeParam Calls What a program calls.
 */
export class Toolkit<Tools, Calls> {
  /** For the compiler only: what an implementation of this toolkit has to be. */
  declare readonly methods: Tools;
  /** The data version it was generated for. */
  readonly data: string;
  private readonly embedded: EmbeddedTools;
  private known: { readonly tools: readonly ToolkitTool[]; readonly types: Declarations } | undefined;
  private listed: Promise<ToolsDocument> | undefined;

  /** @internal */
  constructor(embedded: EmbeddedTools) {
    this.data = embedded.data;
    this.embedded = embedded;
  }

  /** The Tools with their descriptions, validated. @throws FlowError where generated source was changed by hand. */
  get tools(): readonly ToolkitTool[] {
    return this.read().tools;
  }

  private read(): { readonly tools: readonly ToolkitTool[]; readonly types: Declarations } {
    if (this.known !== undefined) return this.known;
    requireDataVersion(this.data, "/data");
    const types = new TypesMap(parsed(this.embedded.types), "/types");
    const tools = Object.entries(this.embedded.tools).map(([method, { tool, doc, fingerprint, roots }]): ToolkitTool => {
      const { generic, params, ok, err } = parsed(roots) as Record<string, JsonValue>;
      const spec = types.join({ at: pointer(["tools", method]), generic, params, ok, err } as Parameters<TypesMap["join"]>[0]);
      return { method, tool, doc, fingerprint, spec };
    });
    types.requireReached();
    this.known = { tools, types: types.declarations };
    return this.known;
  }

  /**
   * The Tools as a program lists them, and as describe gives them.
   * @throws FlowError (as a rejection) `mismatch` where a fingerprint is not the description's.
   */
  document(): Promise<ToolsDocument> {
    this.listed ??= this.list();
    return this.listed;
  }

  private async list(): Promise<ToolsDocument> {
    const { tools, types } = this.read();
    const entries: ToolEntry[] = [];
    for (const { tool, doc, fingerprint, spec } of tools) {
      if ((await fingerprintOf(spec)) !== fingerprint) {
        throw new FlowError("mismatch", `expected the fingerprint of ${tool}, met ${fingerprint}: generated source was changed by hand`);
      }
      entries.push({ tool, doc, fingerprint, signature: describedSignature(spec), spec });
    }
    return { data: this.data, tools: entries, types };
  }

  /** The Tools as functions that a run calls. */
  calls(run: ToolCaller): Calls {
    const calls = Object.create(null) as Record<string, unknown>;
    for (const [method, { tool }] of Object.entries(this.embedded.tools)) {
      calls[method] = (args: Readonly<Record<string, unknown>>, options?: object) => run.call(tool, args, options);
    }
    return calls as Calls;
  }
}

function parsed(text: string): JsonObject {
  return parseJson(text, { depth: DEEPEST_LIMIT }) as JsonObject;
}
