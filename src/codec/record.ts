/** Records, and the named parts of a payload, which are encoded alike (R2, R4, R5). */
import { Decimal } from "../json/decimal.ts";
import { Refusal } from "../json/errors.ts";
import { tooMany } from "../json/read.ts";
import { compareCodePoints } from "../json/text.ts";
import { isObject, type Node, owned, refuseKind, under } from "./node.ts";

/** One declared field. For an Option field, `node` is the inner type: the outer Option is the member's absence. */
export interface FieldNode {
  readonly name: string;
  readonly optional: boolean;
  readonly node: Node;
}

interface CompiledField extends FieldNode {
  /** `"name":`, quoted once. */
  readonly prefix: string;
  /**
   * Whether the name lives on `Object.prototype`, so that only an own property may be read. Whether an Option field
   * of Unit is present shows only there too.
   */
  readonly ownOnly: boolean;
}

/**
 * The node of a record.
 * @param owner The declaration the fields belong to, as sentences name it.
 * @param fields Read when first used, so that a recursive record can be made before its fields are.
 */
export function recordNode(owner: string, fields: () => readonly FieldNode[]): Node {
  let compiled: readonly CompiledField[] | undefined;
  let byName: readonly CompiledField[] = [];
  let plain = true;
  const prepare = (): readonly CompiledField[] => {
    compiled = fields().map(compileField);
    byName = [...compiled].sort((a, b) => compareCodePoints(a.name, b.name));
    plain = !compiled.some((field) => field.name === "__proto__");
    return compiled;
  };

  return {
    title: owner,
    takesNull: false,
    takesUndefined: false,
    children: () => fields().map((field) => field.node),

    decode(json, context) {
      const declared = compiled ?? prepare();
      if (!isObject(json) || json instanceof Decimal) throw refuseKind(`${owner} (an object)`, json);
      const target: Record<string, unknown> = context.native ? json : {};
      let present = 0;
      let dropped = false;
      let i = 0;
      try {
        for (; i < declared.length; i++) {
          const field = declared[i] as CompiledField;
          const value = field.ownOnly && !Object.hasOwn(json, field.name) ? undefined : json[field.name];
          if (value === undefined) {
            if (!field.optional) break;
            continue;
          }
          present++;
          if (value === null && field.optional && !field.node.takesNull) {
            dropped = true;
            continue;
          }
          const decoded = field.node.decode(value, context);
          if (decoded !== value || target !== json) assign(target, field.name, decoded, plain);
        }
      } catch (caught) {
        throw owned(under(caught, (declared[i] as CompiledField).name), owner);
      }
      if (i < declared.length)
        throw owned(new Refusal("missing-member", missing(declared[i] as CompiledField), "an object without it"), owner);
      const count = countMembers(json);
      if (count !== present) {
        const extras = Object.keys(json).filter((name) => !declared.some((field) => field.name === name));
        if (context.strict) throw owned(undeclared(extras[0] as string), owner);
        if (context.native) for (const name of extras) context.members += nestedMembers(json[name]);
        dropped = true;
      }
      if (!context.native) return target;
      context.members += count;
      return dropped ? onlyDeclared(target, declared, plain) : target;
    },

    write(value, context) {
      if (compiled === undefined) prepare();
      if (!isObject(value)) throw refuseKind(`${owner} (an object)`, value);
      if (byName.length > context.limits.members) throw tooMany("members", `at most ${context.limits.members} members of one object`);
      let text = "";
      let present = 0;
      let i = 0;
      context.depth++;
      try {
        for (; i < byName.length; i++) {
          const field = byName[i] as CompiledField;
          const part = field.ownOnly && !Object.hasOwn(value, field.name) ? undefined : value[field.name];
          if (part === undefined && (!field.node.takesUndefined || field.ownOnly) && !Object.hasOwn(value, field.name)) {
            if (field.optional) continue;
            break;
          }
          if (part === undefined && field.optional && !field.node.takesUndefined) {
            // `{ note: undefined }` says None as well as leaving it out does.
            present++;
            continue;
          }
          present++;
          if (context.depth > context.limits.depth) throw tooMany("depth", `values nested at most ${context.limits.depth} deep`);
          text += text === "" ? field.prefix : `,${field.prefix}`;
          text += field.node.write(part, context);
        }
      } catch (caught) {
        throw owned(under(caught, (byName[i] as CompiledField).name), owner);
      }
      if (i < byName.length) throw owned(new Refusal("missing-member", missing(byName[i] as CompiledField), "an object without it"), owner);
      if (countMembers(value) !== present) {
        const extra = Object.keys(value).find((name) => !byName.some((field) => field.name === name));
        if (extra !== undefined) throw owned(undeclared(extra), owner);
      }
      context.depth--;
      return `{${text}}`;
    },

    compare(a, b) {
      for (const field of compiled ?? prepare()) {
        const x = read(a as Record<string, unknown>, field);
        const y = read(b as Record<string, unknown>, field);
        const sign = x === ABSENT || y === ABSENT ? Number(x !== ABSENT) - Number(y !== ABSENT) : field.node.compare(x, y);
        if (sign !== 0) return sign;
      }
      return 0;
    },
  };
}

function compileField(field: FieldNode): CompiledField {
  const ownOnly = field.name in Object.prototype || (field.optional && field.node.takesUndefined);
  return { ...field, prefix: `${JSON.stringify(field.name)}:`, ownOnly };
}

const ABSENT = Symbol("absent");

/** A field's value, or {@link ABSENT} for None. */
function read(record: Record<string, unknown>, field: CompiledField): unknown {
  if (field.ownOnly && !Object.hasOwn(record, field.name)) return ABSENT;
  const value = record[field.name];
  return value === undefined && field.optional && !field.node.takesUndefined ? ABSENT : value;
}

/** `for in` over a plain object reads the enum cache of its shape: a third of the time of `Object.keys().length`. */
function countMembers(record: object): number {
  let count = 0;
  for (const name in record) if (Object.hasOwn(record, name)) count++;
  return count;
}

function assign(target: Record<string, unknown>, name: string, value: unknown, plain: boolean): void {
  if (plain) target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A parsed object without the members that a reader skips: undeclared ones, and Option fields that were null. */
function onlyDeclared(parsed: Record<string, unknown>, declared: readonly CompiledField[], plain: boolean): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const field of declared) {
    if (!Object.hasOwn(parsed, field.name)) continue;
    const value = parsed[field.name];
    if (value === null && field.optional && !field.node.takesNull) continue;
    assign(record, field.name, value, plain);
  }
  return record;
}

/** How many members the objects inside a skipped value have. */
function nestedMembers(json: unknown): number {
  if (typeof json !== "object" || json === null) return 0;
  if (Array.isArray(json)) return json.reduce<number>((sum, item) => sum + nestedMembers(item), 0);
  const names = Object.keys(json);
  return names.reduce((sum, name) => sum + nestedMembers((json as Record<string, unknown>)[name]), names.length);
}

function missing(field: FieldNode): string {
  return `the member ${JSON.stringify(field.name)} (${field.node.title})`;
}

function undeclared(name: string): Refusal {
  return new Refusal("undeclared-member", "only declared members", `the member ${JSON.stringify(name)}`).under(name);
}
