/**
 * Providers and their claims (*Package declarations and loading*, *Exact identity and digest*). A provider is bound to a
 * slot only by the exact triple of URI, version and digest, claimed by an authority that the host trusts. Who is
 * trusted, and why, is the host's knowledge and stands beside the match, never in a digest.
 */
import { FlowError } from "../json/errors.ts";
import type { Contract } from "./descriptor.ts";
import { type ContractTriple, isContractDigest, isContractId, isContractVersion, sameContract } from "./identity.ts";
import type { Json1Value } from "./model.ts";

/** What a provider of a capability is asked. */
export interface EffectRequest {
  /** The name of the method. */
  readonly method: string;
  /** Frozen, and valid by the method's input schema where there is a contract. */
  readonly input: Json1Value;
  /** The operation's id, which stands for this call of its owner alone. */
  readonly operationId: string;
  /** Fires where nobody waits for the operation any more. */
  readonly signal: AbortSignal;
  /** The exact contract the call is made through; absent through a local seam. */
  readonly contract?: ContractTriple;
}

/**
 * One way to reach an implementation: a function here, or whatever is put behind this interface (a Worker, a service, a
 * process). It answers with a tagged value, `{ value }` or `{ error: { name, data } }`, as plain data or unread in a
 * `Json1Text`. It rejects with a `FlowError` of a call code to say why it could not answer, above all `UNCERTAIN` where
 * the other side was lost and may have acted; any other rejection is `EXECUTION_FAILED`.
 */
export interface EffectProvider {
  /** Answers one call, at once or later. What it rejects with, {@link EffectProvider} says. */
  call(request: EffectRequest): Promise<unknown> | unknown;
}

/** What a child Flow is asked: open-ended work, for which no contract is required. */
export interface FlowRequest {
  /** Frozen; any JSON/1 value. */
  readonly input: Json1Value;
  /** What the work is for, in a person's words. */
  readonly intent?: string;
  /** The operation's id, which stands for this call of its owner alone. */
  readonly operationId: string;
  /** Fires where nobody waits for the operation any more. */
  readonly signal: AbortSignal;
}

/** Performs a piece of work and answers with exactly `{ outcome, output }`; rejects as an {@link EffectProvider} does. */
export interface FlowProvider {
  /** Does the work, at once or later. */
  call(request: FlowRequest): Promise<unknown> | unknown;
}

/** What an authority says that a provider offers. */
export interface Claim {
  /** Who says so: a publisher, an index, a source revision. */
  readonly authority: string;
  /** Whether the host trusts this authority for providers. */
  readonly trusted: boolean;
  /** The exact contract, with its descriptor or as a bare triple. */
  readonly contract: ContractTriple;
}

/** One authority's two digests for one URI and version. */
export interface Equivocation {
  /** Who contradicts itself. */
  readonly authority: string;
  /** The contract's URI. */
  readonly id: string;
  /** The contract's version. */
  readonly version: string;
  /** The digests that it claims, in order. */
  readonly digests: readonly string[];
}

/** Which claims may be bound to a slot, and which authorities contradict themselves. */
export interface ClaimMatch {
  /** Indexes of the claims that may be bound, in their order. */
  readonly match: readonly number[];
  /** In order of authority, URI and version. */
  readonly equivocations: readonly Equivocation[];
}

/**
 * Matches claims against the contract of a slot. An authority that claims two digests for one URI and version is
 * reported, and none of its claims for that pair is bound. Claims of others are untouched: an untrusted claim neither
 * binds nor disturbs, since otherwise squatting on a name would deny it to everyone.
 */
export function matchClaims(slot: ContractTriple, claims: readonly Claim[]): ClaimMatch {
  const equivocations = findEquivocations(claims);
  const doubtful = new Set(equivocations.map(({ authority, id, version }) => keyOf(authority, id, version)));
  const match: number[] = [];
  for (const [i, { authority, trusted, contract }] of claims.entries()) {
    if (!trusted || !sameContract(slot, contract)) continue;
    if (!doubtful.has(keyOf(authority, contract.id, contract.version))) match.push(i);
  }
  return { match, equivocations };
}

/** The authorities among those of the claims that claim one URI and version with different digests. */
export function findEquivocations(claims: readonly Claim[]): readonly Equivocation[] {
  const claimed = new Map<string, { authority: string; id: string; version: string; digests: Set<string> }>();
  for (const { authority, contract } of claims) {
    const { id, version, digest } = contract;
    const key = keyOf(authority, id, version);
    const entry = claimed.get(key);
    if (entry === undefined) claimed.set(key, { authority, id, version, digests: new Set([digest]) });
    else entry.digests.add(digest);
  }
  return [...claimed.entries()]
    .filter(([, { digests }]) => digests.size > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { authority, id, version, digests }]) => ({ authority, id, version, digests: [...digests].sort() }));
}

/** Unambiguous and in order of its parts: U+0000 sorts before everything that the parts can hold. */
function keyOf(authority: string, id: string, version: string): string {
  return `${authority}\0${id}\0${version}`;
}

/** A claim together with the provider it is made for. One provider may offer several exact contracts, a claim each. */
export interface Offer extends Claim {
  /** What answers if the claim is bound. */
  readonly provider: EffectProvider;
}

/** A slot of a package: an exact contract, or a local seam without any claim to be portable. */
export type SlotUse = { readonly contract: Contract; readonly local?: undefined } | { readonly local: true; readonly contract?: undefined };

/** A slot with what answers for it. */
export type EffectSlot =
  | {
      /** The contract that the consumer carries. */
      readonly contract: Contract;
      /** The contract that the provider offers. Unless it is exactly the slot's, every call is `UNAVAILABLE`. */
      readonly offered: ContractTriple;
      readonly provider: EffectProvider;
    }
  | { readonly local: true; readonly provider: EffectProvider };

/** What {@link bindSlots} bound, and what it could not. */
export interface BoundSlots {
  /** By slot, what answers for it: the `effects` of `createContractCalls`. */
  readonly effects: Readonly<Record<string, EffectSlot>>;
  /** Slots without a provider, with the reason in a sentence. */
  readonly unbound: readonly { readonly slot: string; readonly reason: string }[];
  /** The authorities among the offers that contradict themselves. */
  readonly equivocations: readonly Equivocation[];
}

/**
 * Binds the slots of a package: contract slots to the first offer that may be bound, local seams to the local providers
 * by the slot's name. A local provider never answers for a contract slot, nor an offer for a local seam.
 * @throws FlowError `usage` for an offer whose contract is no well-formed triple.
 */
export function bindSlots(
  uses: Readonly<Record<string, SlotUse>>,
  offers: readonly Offer[],
  locals: Readonly<Record<string, EffectProvider>> = {},
): BoundSlots {
  for (const { contract } of offers) requireTriple(contract);
  const effects = Object.create(null) as Record<string, EffectSlot>;
  const unbound: { slot: string; reason: string }[] = [];
  for (const slot of Object.keys(uses).sort()) {
    const { contract } = uses[slot] as SlotUse;
    if (contract === undefined) {
      const provider = Object.hasOwn(locals, slot) ? locals[slot] : undefined;
      if (provider === undefined) unbound.push({ slot, reason: "no local provider is given for this local seam" });
      else effects[slot] = { local: true, provider };
      continue;
    }
    const [index] = matchClaims(contract, offers).match;
    if (index === undefined) {
      unbound.push({ slot, reason: `no trusted provider offers exactly ${contract.id} ${contract.version} ${contract.digest}` });
    } else {
      const { contract: offered, provider } = offers[index] as Offer;
      effects[slot] = { contract, offered, provider };
    }
  }
  return { effects, unbound, equivocations: findEquivocations(offers) };
}

function requireTriple({ id, version, digest }: ContractTriple): void {
  if (isContractId(id) && isContractVersion(version) && isContractDigest(digest)) return;
  throw new FlowError("usage", `expected an exact contract, met ${JSON.stringify({ id, version, digest })}`);
}

/** A method of a provider that is made of functions. */
export type EffectFunction = (input: Json1Value, request: EffectRequest) => Promise<unknown> | unknown;

/** A provider whose methods are functions of this program. */
export function functionProvider(methods: Readonly<Record<string, EffectFunction>>): EffectProvider {
  return {
    call(request) {
      const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      if (method === undefined) throw new FlowError("UNAVAILABLE", `the provider has no function for ${request.method}`);
      return method(request.input, request);
    },
  };
}
