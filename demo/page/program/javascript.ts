/** TypeScript as the JavaScript that it is without its types. The library that takes them off is loaded when it is first needed. */

import { SAMPLE_JAVASCRIPT } from "./project.ts";

/** A text that cannot be read, with its place where the reader names one. */
export class TypeScriptFault extends Error {
  readonly file: string;

  constructor(file: string, message: string) {
    super(`${file}: ${message}`);
    this.file = file;
  }
}

const made = new Map(SAMPLE_JAVASCRIPT);

/** @throws TypeScriptFault */
export async function javascriptOf(file: string, text: string): Promise<string> {
  const known = made.get(text);
  if (known !== undefined) return known;
  const { transform } = await import("sucrase");
  try {
    const { code } = transform(text, { transforms: ["typescript"], disableESTransforms: true });
    made.set(text, code);
    return code;
  } catch (caught) {
    throw new TypeScriptFault(file, (caught as Error).message.replace(/^Error transforming .*?: /, ""));
  }
}
