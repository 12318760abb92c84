/** The provider of the tests over the wire: it does what its input says. */
import { type ContractCalls, callFailure, createContractCalls, functionProvider, readContract } from "../../../src/contracts/index.ts";

const DESCRIPTOR = {
  $schema: "https://flow.jig.md/schemas/capability-contract-1.schema.json",
  flowCapabilityContract: 1,
  id: "https://example.org/contracts/acting",
  version: "1.0.0",
  methods: { act: { input: { type: "object" }, output: true, errors: { refused: true } } },
};

export const contract = await readContract(JSON.stringify(DESCRIPTOR));

interface Order {
  readonly do: string;
  readonly with?: unknown;
}

/** @param die Ends whatever the provider runs in. */
export function actingCalls(die: () => void): ContractCalls {
  let waiting = 0;
  let stopped = 0;
  const provider = functionProvider({
    async act(input, { signal, operationId }) {
      const { do: what, with: value } = input as unknown as Order;
      switch (what) {
        case "echo":
          return { value: value ?? null };
        case "name":
          return { value: operationId };
        case "refuse":
          return { error: { name: "refused", data: value ?? null } };
        case "fail":
          throw callFailure(value as "UNCERTAIN", "as it was told", { told: true });
        case "die":
          die();
          return new Promise(() => {});
        case "loop":
          for (;;);
        case "wait":
          waiting++;
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => {
              stopped++;
              reject(signal.reason);
            });
          });
        case "count":
          return { value: { waiting, stopped } };
        default:
          throw new Error("a secret");
      }
    },
  });
  const flow = { call: ({ input, intent = "" }: { input: unknown; intent?: string }) => ({ outcome: "done", output: [input, intent] }) };
  return createContractCalls({ effects: { acting: { contract, offered: contract, provider } }, flows: { child: flow } });
}
