/** Enums (R2), Option outside a field among them. */
import { Decimal } from "../json/decimal.ts";
import { quoted, Refusal } from "../json/errors.ts";
import { stringTooLong } from "../json/output.ts";
import { type Phrase, phraseOf } from "../json/phrase.ts";
import { isPlainObject } from "../json/plain.ts";
import { utf8Length } from "../json/text.ts";
import { describeJson } from "../json/value.ts";
import { GIVE_UP } from "./account.ts";
import { countMembers, describeValue, isObject, isRecordLike, type Node, owned, refuseKind, under } from "./node.ts";

/** One constructor; `payload` is the node of its one part, its tuple of parts or its named parts, if it carries any. */
export interface ConstructorNode {
  readonly name: string;
  readonly payload: Node | undefined;
}

interface CompiledConstructor extends ConstructorNode {
  readonly rank: number;
  /** The value of a constructor without payload, shared by all who decode one. */
  readonly bare: { readonly tag: string };
  /** The whole text of a constructor without payload, or what stands before the payload's text. */
  readonly text: Phrase;
  readonly nameBytes: number;
}

const CLOSE = 125;

/**
 * The node of an enum.
 * @param title The type, as sentences name it.
 * @param owner The declaration its parts belong to, where there is one: an Option has none.
 * @param constructors Read when first used, so that a recursive enum can be made before its payloads are.
 */
export function enumNode(title: string, owner: string | undefined, constructors: () => readonly ConstructorNode[]): Node {
  let compiled: ReadonlyMap<string, CompiledConstructor> | undefined;
  const prepare = (): ReadonlyMap<string, CompiledConstructor> => {
    compiled = new Map(constructors().map((variant, rank) => [variant.name, compileConstructor(variant, rank)]));
    return compiled;
  };
  const unknown = (json: unknown, what: string) => new Refusal("unknown-constructor", `${what} of ${title}`, describeJson(json));
  const inside = (caught: unknown, name: string) => {
    under(caught, name);
    return owner === undefined ? caught : owned(caught, owner);
  };

  return {
    title,
    takesNull: false,
    takesUndefined: false,

    decode(json, context) {
      const declared = compiled ?? prepare();
      if (declared.size === 0) throw noConstructors(json);
      if (typeof json === "string") {
        const variant = declared.get(json);
        if (variant === undefined) throw unknown(json, "a constructor");
        if (variant.payload !== undefined) throw unknown(json, `${json} with its payload, a constructor`);
        return variant.bare;
      }
      if (!isObject(json) || json instanceof Decimal)
        throw refuseKind(`${title} (a constructor's name, or an object with it as its one member)`, json);
      const name = onlyMember(json);
      if (name === undefined) throw refuseKind("an object with exactly one member, the constructor", json);
      const variant = declared.get(name);
      if (variant === undefined) throw unknown(name, "a constructor");
      const { payload } = variant;
      if (payload === undefined) throw unknown(json, `${name} without payload, a constructor`);
      try {
        return { tag: variant.name, value: payload.decode(json[name], context) };
      } catch (caught) {
        throw inside(caught, name);
      }
    },

    take(json, account) {
      const declared = compiled ?? prepare();
      if (typeof json === "string") {
        const variant = declared.get(json);
        if (variant === undefined || variant.payload !== undefined) throw GIVE_UP;
        account.string(json);
        return variant.bare;
      }
      const name = isObject(json) ? onlyMember(json) : undefined;
      const variant = name === undefined ? undefined : declared.get(name);
      if (variant?.payload === undefined) throw GIVE_UP;
      account.object(1);
      account.name(variant.name);
      account.enter();
      const value = variant.payload.take((json as Record<string, unknown>)[variant.name], account);
      account.leave();
      return { tag: variant.name, value };
    },

    write(value, output) {
      const declared = compiled ?? prepare();
      if (declared.size === 0) throw noConstructors(value);
      const tag = isObject(value) ? value["tag"] : undefined;
      if (typeof tag !== "string") throw refuseKind(`${title} (an object with a tag)`, value);
      const variant = declared.get(tag);
      if (variant === undefined) throw unknown(tag, "a constructor");
      const part = (value as Record<string, unknown>)["value"];
      const members = variant.payload === undefined ? 1 : 2;
      if (countMembers(value as object) !== members || !isPlainObject(value as object)) requireVariant(value as object);
      if (variant.nameBytes > output.limits.string) throw stringTooLong(output.limits);
      const { payload, name } = variant;
      if (payload === undefined) {
        if (part !== undefined)
          throw new Refusal("unknown-constructor", `${name} without payload, a constructor of ${title}`, describeValue(part));
        output.phrase(variant.text);
        return;
      }
      try {
        output.phrase(variant.text);
        output.deeper();
        output.value();
        payload.write(part, output);
        output.close(CLOSE);
      } catch (caught) {
        throw inside(caught, name);
      }
    },

    compare(a, b) {
      const declared = compiled ?? prepare();
      const x = declared.get((a as { tag: string }).tag);
      const y = declared.get((b as { tag: string }).tag);
      if (x === undefined || y === undefined) throw refuseKind(title, x === undefined ? a : b);
      if (x !== y) return x.rank - y.rank;
      return x.payload === undefined ? 0 : x.payload.compare((a as { value: unknown }).value, (b as { value: unknown }).value);
    },
  };
}

function noConstructors(met: unknown): Refusal {
  return new Refusal("no-value", "no value at all (the enum has no constructors)", describeValue(met));
}

/** A closer look at an enum value that does not have just a tag and its part. @throws Refusal */
function requireVariant(value: object): void {
  if (!isRecordLike(value) || !Object.hasOwn(value, "tag")) throw refuseKind("an object with a tag of its own", value);
  const extra = Object.keys(value).find((name) => name !== "tag" && name !== "value");
  if (extra !== undefined) throw new Refusal("undeclared-member", "only tag and value", `the member ${quoted(extra)}`).under(extra);
}

function compileConstructor(variant: ConstructorNode, rank: number): CompiledConstructor {
  const { name, payload } = variant;
  const written = JSON.stringify(name);
  return {
    name,
    payload,
    rank,
    bare: Object.freeze({ tag: name }),
    text: payload === undefined ? phraseOf(written) : phraseOf(`{${written}:`),
    nameBytes: utf8Length(name),
  };
}

/** The name of an object's only member, or `undefined` where it has none or several. */
function onlyMember(json: Record<string, unknown>): string | undefined {
  let only: string | undefined;
  for (const name in json) {
    if (only !== undefined) return undefined;
    only = name;
  }
  return only;
}
