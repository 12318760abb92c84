/** What an implementation says of itself, as text: for what stands in front of it, and for the page. */
import { type Binding, canonicalText, DATA_VERSION, type JsonValue } from "flow-host";

/** Signatures hold schemas, which nest deeper than values do. */
export const DEEP = { depth: 1_000 };

/**
 * Has an implementation describe itself.
 * @returns the result of a describe response as canonical text
 * @throws FlowError where it does not start, or imports what is not granted
 */
export async function describedText(binding: Binding): Promise<string> {
  const { data, tools } = await binding.describe(DATA_VERSION, new AbortController().signal);
  const served = tools.map(({ tool, fingerprint, signature }) => ({ tool, fingerprint, signature }));
  return canonicalText({ data, tools: served } as JsonValue, DEEP);
}
