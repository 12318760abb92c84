/**
 * What the build knows of the declaration that a component answers for; each is given its own. The compiler is given `constants.ts` from
 * memory, made from the program's own list of Tools, so that nothing here can differ from what the host expects.
 */

/** The declaration's identity, version included. */
export declare const TOOL: string;
/** The identity up to its version, or all of it if it has none. */
export declare const TOOL_BEFORE_VERSION: string;
/** The identity from behind its version on. */
export declare const TOOL_AFTER_VERSION: string;
/** `sha256:` and the hash of the canonical signature. */
export declare const FINGERPRINT: string;
/** The signature as canonical JSON text. */
export declare const SIGNATURE: string;
