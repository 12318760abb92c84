/** The package as its users' compilers see it: by its name, from its declarations, with every one of them checked. */
import { type Codec, codecFor, Decimal, FlowError, type Outcome, parseJson } from "flow-host";

const int: Codec<bigint> = codecFor<bigint>("Int");
export const doubled: bigint = int.decode("21") * 2n;
export const price: Decimal | bigint | unknown = parseJson("1.5");
export const code: string = new FlowError("usage", "").code;
export const kept: (outcome: Outcome) => Outcome = (outcome) => outcome;
export const one: Decimal = Decimal.from("1");
