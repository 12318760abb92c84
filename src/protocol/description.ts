/** Descriptions: what an implementation answers to `describe`, and whether it fits (*Binding*, R1, R36). */
import { FlowError } from "../json/errors.ts";
import { childPointer } from "../json/pointer.ts";
import { describeJson, isJsonObject, type JsonValue } from "../json/value.ts";
import { requireDataVersion } from "../signature/dataversion.ts";
import { withoutVersion } from "../signature/identity.ts";

/** One declaration that an implementation serves. */
export interface ServedTool {
  /** Its identity. */
  readonly tool: string;
  /** `sha256:` and 64 hexadecimal digits (R21). */
  readonly fingerprint: string;
  /** The canonical signature's members, there to be read; binding goes by the fingerprint. */
  readonly signature: JsonValue;
}

/** What an implementation says that it serves. */
export interface Description {
  /** Its data version (R1). */
  readonly data: string;
  /** The declarations it serves. */
  readonly tools: readonly ServedTool[];
  /**
   * What a declaration is called that is not among them: an adapter answers from the declarations, so that one whose
   * counterpart is missing has nothing bound to it.
   */
  readonly missing?: "unbound";
}

/**
 * The description in a describe response. Members that a later minor version may add are ignored.
 * @throws FlowError `shape` for a response of another form, `version` for a data version of another major (R1).
 */
export function readDescription(json: JsonValue | undefined): Description {
  if (!isJsonObject(json)) throw shape("", "an object with data and tools", json);
  requireDataVersion(json["data"], "/data");
  const entries = json["tools"];
  if (!Array.isArray(entries)) throw shape("/tools", "an array of served declarations", entries as JsonValue | undefined);
  return { data: json["data"] as string, tools: entries.map((entry, i) => readServed(entry, childPointer("/tools", i))) };
}

function readServed(json: JsonValue, at: string): ServedTool {
  if (!isJsonObject(json)) throw shape(at, "an object with tool, fingerprint and signature", json);
  const { tool, fingerprint, signature } = json;
  if (typeof tool !== "string" || tool === "") throw shape(childPointer(at, "tool"), "the identity of a declaration", tool);
  if (typeof fingerprint !== "string" || !/^sha256:[0-9a-f]{64}$/.test(fingerprint)) {
    throw shape(childPointer(at, "fingerprint"), '"sha256:" and 64 lowercase hexadecimal digits', fingerprint);
  }
  if (!isJsonObject(signature)) throw shape(childPointer(at, "signature"), "a signature object", signature);
  return { tool, fingerprint, signature };
}

function shape(at: string, expected: string, met: JsonValue | undefined): FlowError {
  const shown = met === undefined ? "nothing" : describeJson(met);
  return new FlowError(
    "shape",
    `a description that is not well formed: expected ${expected}${at === "" ? "" : ` at ${at}`}, met ${shown}`,
    { at },
  );
}

/**
 * Finds the described declaration that answers for a declared one: the same identity, versions aside, and the same
 * fingerprint (R36).
 * @throws FlowError `not-served` where none has the identity, `fingerprint` where those that do differ.
 */
export function requireFit(description: Description, tool: string, fingerprint: string): ServedTool {
  const name = withoutVersion(tool);
  const candidates = description.tools.filter((served) => withoutVersion(served.tool) === name);
  const fitting = candidates.find((served) => served.fingerprint === fingerprint);
  if (fitting !== undefined) return fitting;
  const other = candidates[0];
  if (other === undefined) {
    if (description.missing === "unbound") throw new FlowError("unbound", `the server has no tool for ${name}`, { tool });
    throw new FlowError("not-served", `the implementation does not serve ${name}`, { tool });
  }
  throw new FlowError(
    "fingerprint",
    `the implementation of ${name} was made for another signature: declared ${fingerprint}, served ${other.fingerprint}`,
    { tool },
  );
}
