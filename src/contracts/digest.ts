/** The digest of a descriptor (*Exact identity and digest*). */
import { sha256Hex } from "../signature/hash.ts";
import { canonicalJson1 } from "./json1.ts";
import type { Json1Value } from "./model.ts";

/** Keeps every other object that carries a SHA-256 from standing in for a contract digest. */
const DOMAIN = "FLOW-Capability-Contract/1\0";

/**
 * The contract digest of a complete parsed descriptor: `sha256:` and 64 lower-case hexadecimal digits. It is taken over
 * the domain separator and the RFC 8785 text, annotations and `$schema` included. The descriptor is not judged: use
 * `readContract` for one that is to be relied on.
 */
export async function contractDigest(descriptor: Json1Value): Promise<string> {
  return `sha256:${await sha256Hex(DOMAIN + canonicalJson1(descriptor))}`;
}
