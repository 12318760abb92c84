/** The view in the address: what the project has that the sample has not, and the form that was filled last. */
import type { Texts } from "../call-form.ts";
import { pack } from "./packed.ts";
import { differing, type Project, withoutDropped } from "./project.ts";

/** Parameters of a Tool stand in the address under this prefix, apart from the page's own. */
const ARGUMENT = "arg.";

/** A Tool and the texts of its form, as parameters of the address. */
export type FormState = readonly (readonly [string, string])[];

export function formState(tool: string, texts: Texts): FormState {
  return [["tool", tool], ...Object.entries(texts).map(([name, text]) => [ARGUMENT + name, text] as const)];
}

/** The texts of a form by parameter name. */
export function textsIn(parameters: URLSearchParams): Texts {
  const found = [...parameters].filter(([name]) => name.startsWith(ARGUMENT));
  return Object.fromEntries(found.map(([name, text]) => [name.slice(ARGUMENT.length), text]));
}

export async function stateOf(project: Project, form: FormState): Promise<URLSearchParams> {
  const changed = differing(withoutDropped(project));
  const state = new URLSearchParams(changed === undefined ? [] : [["p", await pack(changed)]]);
  for (const [name, text] of form) if (text !== "") state.append(name, text);
  return state;
}
