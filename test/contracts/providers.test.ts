/** Claims, matches and bindings. */
import { expect, it } from "vitest";
import {
  bindSlots,
  type Claim,
  type Contract,
  functionProvider,
  matchClaims,
  readContract,
  sessionStoreDescriptor,
} from "../../src/contracts/index.ts";

const contract = await readContract(JSON.stringify(sessionStoreDescriptor));
const second = await readContract(JSON.stringify({ ...sessionStoreDescriptor, version: "2.0.0" }));
const forged = { ...triple(contract), digest: `sha256:${"0".repeat(64)}` };

function triple({ id, version, digest }: Contract) {
  return { id, version, digest };
}

function claim(authority: string, trusted: boolean, claimed: Claim["contract"]): Claim {
  return { authority, trusted, contract: claimed };
}

it("binds by the exact triple only", () => {
  for (const part of ["id", "version", "digest"] as const) {
    expect(matchClaims(contract, [claim("p", true, { ...triple(contract), [part]: `${contract[part]}0` })]).match).toEqual([]);
  }
  expect(matchClaims(contract, [claim("p", true, second), claim("q", true, triple(contract))]).match).toEqual([1]);
});

it("reports an authority that contradicts itself, in order, and binds none of its claims for the pair", () => {
  const claims = [
    claim("p", true, contract),
    claim("p", true, forged),
    claim("o", false, forged),
    claim("o", false, contract),
    claim("q", true, contract),
    claim("p", true, second),
  ];
  const { match, equivocations } = matchClaims(contract, claims);
  expect(match).toEqual([4]);
  const digests = [forged.digest, contract.digest].sort();
  expect(equivocations).toEqual(["o", "p"].map((authority) => ({ authority, id: contract.id, version: "1.0.0", digests })));
  // What it claims for another version is not in doubt.
  expect(matchClaims(second, claims).match).toEqual([5]);
});

it("does not take the parts of one claim for another's", () => {
  const claims = [claim("a\0b", true, contract), claim("a", true, forged)];
  expect(matchClaims(contract, claims)).toEqual({ match: [0], equivocations: [] });
});

it("binds slots to offers and local seams to local providers, and never one for the other", () => {
  const provider = functionProvider({});
  const local = functionProvider({});
  const uses = { gone: { contract: second }, kept: { contract }, mine: { local: true as const }, nobody: { local: true as const } };
  const offers = [
    { ...claim("p", true, contract), provider },
    { ...claim("q", false, second), provider },
  ];
  const binding = bindSlots(uses, offers, { mine: local, kept: local, toString: local });
  expect(Object.keys(binding.effects)).toEqual(["kept", "mine"]);
  expect(binding.effects["kept"]).toEqual({ contract, offered: contract, provider });
  expect(binding.effects["mine"]).toEqual({ local: true, provider: local });
  expect(binding.unbound.map(({ slot }) => slot)).toEqual(["gone", "nobody"]);
  expect(() => bindSlots(uses, [{ ...claim("p", true, { id: "x", version: "1", digest: "y" }), provider }])).toThrow(
    expect.objectContaining({ code: "usage" }),
  );
});

it("one provider may offer several exact contracts", () => {
  const provider = functionProvider({});
  const offers = [contract, second].map((offered) => ({ ...claim("p", true, offered), provider }));
  const { effects, unbound } = bindSlots({ one: { contract }, two: { contract: second } }, offers);
  expect(unbound).toEqual([]);
  expect([effects["one"]?.provider, effects["two"]?.provider]).toEqual([provider, provider]);
});
