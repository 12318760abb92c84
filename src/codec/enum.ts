/** Enums (R2), Option outside a field among them. */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import { describeJson } from "../json/value.ts";
import { descend, describeValue, isObject, type Node, owned, refuseKind, under } from "./node.ts";

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
  readonly text: string;
}

/**
 * The node of an enum.
 * @param owner The declaration, as sentences name it.
 * @param constructors Read when first used, so that a recursive enum can be made before its payloads are.
 */
export function enumNode(owner: string, constructors: () => readonly ConstructorNode[]): Node {
  let compiled: ReadonlyMap<string, CompiledConstructor> | undefined;
  const prepare = (): ReadonlyMap<string, CompiledConstructor> => {
    compiled = new Map(constructors().map((variant, rank) => [variant.name, compileConstructor(variant, rank)]));
    return compiled;
  };
  const unknown = (json: unknown, why: string) => new Refusal("unknown-constructor", `${why} of ${owner}`, describeJson(json));

  return {
    title: owner,
    takesNull: false,
    takesUndefined: false,
    children: () => constructors().flatMap(({ payload }) => payload ?? []),

    decode(json, context) {
      const declared = compiled ?? prepare();
      if (declared.size === 0)
        throw owned(new Refusal("no-value", "no value at all (the enum has no constructors)", describeJson(json)), owner);
      if (typeof json === "string") {
        const variant = declared.get(json);
        if (variant === undefined) throw owned(unknown(json, "a constructor"), owner);
        if (variant.payload !== undefined) throw owned(unknown(json, `${json} with its payload, a constructor`), owner);
        return variant.bare;
      }
      if (!isObject(json) || json instanceof Decimal)
        throw owned(refuseKind(`${owner} (a constructor's name, or an object with it as its one member)`, json), owner);
      const name = onlyMember(json);
      if (name === undefined) throw owned(refuseKind("an object with exactly one member, the constructor", json), owner);
      const variant = declared.get(name);
      if (variant === undefined) throw owned(unknown(name, "a constructor"), owner);
      const { payload } = variant;
      if (payload === undefined) throw owned(unknown(json, `${name} without payload, a constructor`), owner);
      if (context.native) context.members++;
      try {
        return { tag: name, value: payload.decode(json[name], context) };
      } catch (caught) {
        throw owned(under(caught, name), owner);
      }
    },

    write(value, context) {
      const declared = compiled ?? prepare();
      if (!isObject(value) || typeof value["tag"] !== "string") throw refuseKind(`${owner} (an object with a tag)`, value);
      const variant = declared.get(value["tag"]);
      if (variant === undefined) throw owned(unknown(value["tag"], "a constructor"), owner);
      const { payload, name } = variant;
      if (payload === undefined) {
        if (value["value"] !== undefined)
          throw owned(new Refusal("unknown-constructor", `${name} without payload of ${owner}`, describeValue(value["value"])), owner);
        return variant.text;
      }
      try {
        descend(context);
        const text = `${variant.text}${payload.write(value["value"], context)}}`;
        context.depth--;
        return text;
      } catch (caught) {
        throw owned(under(caught, name), owner);
      }
    },

    compare(a, b) {
      const declared = compiled ?? prepare();
      const x = declared.get((a as { tag: string }).tag) as CompiledConstructor;
      const y = declared.get((b as { tag: string }).tag) as CompiledConstructor;
      if (x !== y) return x.rank - y.rank;
      return x.payload === undefined ? 0 : x.payload.compare((a as { value: unknown }).value, (b as { value: unknown }).value);
    },
  };
}

function compileConstructor(variant: ConstructorNode, rank: number): CompiledConstructor {
  const quoted = JSON.stringify(variant.name);
  return {
    ...variant,
    rank,
    bare: Object.freeze({ tag: variant.name }),
    text: variant.payload === undefined ? quoted : `{${quoted}:`,
  };
}

/** The name of an object's only member, or `undefined` where it has none or several. */
function onlyMember(json: Record<string, unknown>): string | undefined {
  let only: string | undefined;
  for (const name in json) {
    if (only !== undefined || !Object.hasOwn(json, name)) return undefined;
    only = name;
  }
  return only;
}
