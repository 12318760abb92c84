/** Descriptors to pick from, each alone or beside another one. */
import { type Json1Value, sessionStoreDescriptor } from "flow-host/contracts";

export interface ContractExample {
  readonly title: string;
  readonly descriptor: string;
  /** What it is compared with. */
  readonly other: string;
}

type Changes = (descriptor: Record<string, unknown>) => void;

const text = (value: unknown): string => JSON.stringify(value, null, 2);

function changed(change: Changes): string {
  const copy = JSON.parse(text(sessionStoreDescriptor as Json1Value)) as Record<string, unknown>;
  change(copy);
  return text(copy);
}

const SESSION_STORE = text(sessionStoreDescriptor);

const NEXT = changed((descriptor) => {
  descriptor["version"] = "1.1.0";
  const methods = descriptor["methods"] as Record<string, unknown>;
  methods["forget"] = { input: { $ref: "#/$defs/ReadInput" }, output: { type: "null" }, errors: {} };
});

/** The same id and version, and another interface: no single source may claim both. */
const CONFLICT = changed((descriptor) => {
  const definitions = descriptor["$defs"] as Record<string, Record<string, unknown>>;
  definitions["ReadInput"] = { ...definitions["ReadInput"], description: "Which session to read." };
});

const FAULTY = changed((descriptor) => {
  descriptor["version"] = "1.0";
  const methods = descriptor["methods"] as Record<string, unknown>;
  methods["Write"] = { input: { $ref: "#/$defs/Missing" }, output: { pattern: "^a" }, errors: {} };
});

export const CONTRACT_EXAMPLES: readonly [ContractExample, ...ContractExample[]] = [
  { title: "A session store", descriptor: SESSION_STORE, other: "" },
  { title: "A session store and its next version", descriptor: SESSION_STORE, other: NEXT },
  { title: "One id and version, two digests", descriptor: SESSION_STORE, other: CONFLICT },
  { title: "A descriptor with faults", descriptor: FAULTY, other: "" },
];
