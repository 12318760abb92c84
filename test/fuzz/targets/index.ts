/** All that is fuzzed. */
import type { Target } from "../target.ts";
import { contractTargets } from "./contract.ts";
import { declaration } from "./declaration.ts";
import { decode } from "./decode.ts";
import { description } from "./description.ts";
import { jsonTargets } from "./json.ts";
import { lines } from "./lines.ts";
import { messages } from "./messages.ts";
import { schema } from "./schema.ts";

export const TARGETS: readonly Target[] = [...jsonTargets, decode, description, declaration, schema, ...contractTargets, lines, messages];
