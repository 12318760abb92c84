/** The part of *The work meter* that is known before there is a value. */
import type { SchemaNode } from "./node.ts";

/** How many of the keywords are present. */
export function present(...values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length;
}

/** What every value costs: the node itself and the keywords that apply to every kind. */
export function commonCost(node: SchemaNode): number {
  return (
    1 +
    (node.types?.length ?? 0) +
    (node.enum?.length ?? 0) +
    (node.allOf?.length ?? 0) +
    (node.anyOf?.length ?? 0) +
    (node.oneOf?.length ?? 0) +
    present(node.ref, node.const, node.not, node.if)
  );
}

/** What an object costs beside, whatever its members are. */
export function costOfObject(node: SchemaNode): number {
  return (
    (node.properties?.size ?? 0) +
    (node.required?.length ?? 0) +
    (node.dependentRequired?.size ?? 0) +
    (node.dependentSchemas?.size ?? 0) +
    present(node.minProperties, node.maxProperties)
  );
}

/** What an array costs beside, whatever its items are. */
export function costOfArray(node: SchemaNode): number {
  const contains = node.contains === undefined ? 0 : present(node.minContains, node.maxContains);
  return (node.prefixItems?.length ?? 0) + contains + present(node.items, node.minItems, node.maxItems);
}

/** The number of Unicode scalar values in a well-formed string. */
export function scalarLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) length--;
  }
  return length;
}
