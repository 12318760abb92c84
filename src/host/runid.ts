/** Run ids, 1 to 256 bytes (R26). */

/** 128 random bits. `crypto.randomUUID` is missing on plain http: pages, `getRandomValues` is there too. */
export function randomRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
