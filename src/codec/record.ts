/** Records, and the named parts of a payload, which are encoded alike (R2, R4, R5). */
import { Decimal } from "../json/decimal.ts";
import { quoted, Refusal } from "../json/errors.ts";
import { tooMany } from "../json/limits.ts";
import { stringTooLong } from "../json/output.ts";
import { type Phrase, phraseOf } from "../json/phrase.ts";
import { isPlainObject } from "../json/plain.ts";
import { compareCodePoints, utf8Length } from "../json/text.ts";
import { GIVE_UP } from "./account.ts";
import { countMembers, isObject, isRecordLike, type Node, owned, refuseKind, under } from "./node.ts";
import { skip } from "./raw.ts";

/** One declared field. For an Option field, `node` is the inner type: the outer Option is the member's absence. */
export interface FieldNode {
  readonly name: string;
  readonly optional: boolean;
  readonly node: Node;
}

interface CompiledField extends FieldNode {
  /** The node's functions, one look-up nearer. */
  readonly take: Node["take"];
  readonly write: Node["write"];
  /** `{"name":` and `,"name":`. */
  readonly first: Phrase;
  readonly next: Phrase;
  readonly nameBytes: number;
  /** Whether every object seems to have a member of this name (`constructor`), so that only an own one counts. */
  readonly inherited: boolean;
  /** Whether `null` says None (R4). */
  readonly nullIsNone: boolean;
}

/** How often a record learns another order of its members before it looks the names up instead. */
const MOST_GUESSES = 16;

const OPEN = 123;
const CLOSE = 125;

/**
 * The node of a record.
 * @param owner The declaration the fields belong to, as sentences name it.
 * @param fields Read when first used, so that a recursive record can be made before its fields are.
 */
export function recordNode(owner: string, fields: () => readonly FieldNode[]): Node {
  let compiled: readonly CompiledField[] | undefined;
  let canonical: readonly CompiledField[] = [];
  let longestName = 0;
  /** No field is called `__proto__`, which assigning does not set. */
  let plain = true;
  let byName: ReadonlyMap<string, CompiledField> = new Map();
  /** The fields as the members of the last object in another order stood: whoever sends many sends them alike. */
  let usual: readonly CompiledField[] = [];
  let guesses = MOST_GUESSES;
  let requiredCount = 0;
  const prepare = (): readonly CompiledField[] => {
    compiled = fields().map(compileField);
    canonical = [...compiled].sort((a, b) => compareCodePoints(a.name, b.name));
    longestName = Math.max(0, ...compiled.map((field) => field.nameBytes));
    byName = new Map(compiled.map((field) => [field.name, field]));
    usual = compiled;
    plain = !byName.has("__proto__");
    requiredCount = compiled.filter((field) => !field.optional).length;
    return compiled;
  };

  return {
    title: owner,
    takesNull: false,
    takesUndefined: false,

    decode(json, context) {
      const declared = compiled ?? prepare();
      if (!isObject(json) || json instanceof Decimal) throw refuseKind(`${owner} (an object)`, json);
      const record: Record<string, unknown> = {};
      let i = 0;
      try {
        for (; i < declared.length; i++) {
          const field = declared[i] as CompiledField;
          const value = Object.hasOwn(json, field.name) ? json[field.name] : undefined;
          if (value === undefined) {
            if (!field.optional) break;
          } else if (value !== null || !field.nullIsNone) assign(record, field.name, field.node.decode(value, context), plain);
        }
      } catch (caught) {
        throw owned(under(caught, (declared[i] as CompiledField).name), owner);
      }
      if (i < declared.length) throw missing(declared[i] as CompiledField, owner);
      if (context.strict) requireDeclared(json, byName, owner);
      return record;
    },

    // A property read by the name at hand of a `for in` needs no look-up, whatever the object's shape: that, and seeing
    // in the same loop whether anything else is there, makes records a tenth faster to read.
    take(json, account) {
      if (compiled === undefined) prepare();
      if (!isObject(json)) throw GIVE_UP;
      account.enter();
      const order = usual;
      let at = 0;
      let count = 0;
      let required = 0;
      let asUsual = true;
      let whole = true;
      for (const name in json) {
        count++;
        let field = order[at];
        if (field === undefined || field.name !== name) {
          field = byName.get(name);
          if (field !== undefined) {
            while (at < order.length && order[at] !== field) at++;
            if (at === order.length) asUsual = false;
          }
        }
        if (field === order[at]) at++;
        const value = json[name];
        account.name(name);
        if (field === undefined) {
          if (account.strict) throw GIVE_UP;
          skip(value, account);
          whole = false;
          continue;
        }
        if (!field.optional) required++;
        else if (value === null && field.nullIsNone) {
          account.length += 4;
          whole = false;
          continue;
        }
        const taken = field.take(value, account);
        if (taken !== value) assign(json, name, taken, plain);
      }
      if (required !== requiredCount) throw GIVE_UP;
      account.object(count);
      account.leave();
      if (!asUsual && guesses > 0) {
        guesses--;
        usual = inOrderOf(json, byName);
      }
      return whole ? json : onlyDeclared(json, compiled as readonly CompiledField[], plain);
    },

    write(value, output) {
      if (compiled === undefined) prepare();
      if (!isObject(value)) throw refuseKind(`${owner} (an object)`, value);
      // Where nothing is inherited, every member that is there is the object's own.
      const bare = !output.polluted && isPlainObject(value);
      if (!bare && !isRecordLike(value)) throw refuseKind(`${owner} (an object)`, value);
      const shortNames = longestName <= output.limits.string;
      let present = 0;
      let within: CompiledField | undefined;
      try {
        for (let i = 0; i < canonical.length; i++) {
          const field = canonical[i] as CompiledField;
          const part = value[field.name];
          if ((part === undefined || !bare || field.inherited) && !isPresent(value, field)) {
            if (field.optional) continue;
            throw missing(field, owner);
          }
          if (!shortNames && field.nameBytes > output.limits.string) throw stringTooLong(output.limits);
          if (++present > output.limits.members) throw tooMany("members", `at most ${output.limits.members} members of one object`);
          output.phrase(present === 1 ? field.first : field.next);
          within = field;
          if (present === 1) output.deeper();
          output.value();
          field.write(part, output);
          within = undefined;
        }
      } catch (caught) {
        throw owned(within === undefined ? caught : under(caught, within.name), owner);
      }
      if (!bare || countMembers(value) !== present) requireDeclared(value, byName, owner);
      if (present === 0) output.byte(OPEN);
      else output.depth--;
      output.byte(CLOSE);
    },

    compare(a, b) {
      for (const field of compiled ?? prepare()) {
        const inA = isPresent(a as Record<string, unknown>, field);
        const inB = isPresent(b as Record<string, unknown>, field);
        // None is before Some (R12).
        const sign =
          inA && inB
            ? field.node.compare((a as Record<string, unknown>)[field.name], (b as Record<string, unknown>)[field.name])
            : Number(inA) - Number(inB);
        if (sign !== 0) return sign;
      }
      return 0;
    },
  };
}

function compileField(field: FieldNode): CompiledField {
  const { name, optional, node } = field;
  return {
    name,
    optional,
    node,
    take: node.take,
    write: node.write,
    first: phraseOf(`{${JSON.stringify(name)}:`),
    next: phraseOf(`,${JSON.stringify(name)}:`),
    nameBytes: utf8Length(name),
    inherited: name in Object.prototype,
    nullIsNone: optional && !node.takesNull,
  };
}

/**
 * Whether a record has a member of its own for a field. An Option field that is `undefined` says None as well as one
 * that is left out, except where `undefined` is a value (Unit).
 */
function isPresent(record: Record<string, unknown>, { name, optional, node }: CompiledField): boolean {
  return Object.hasOwn(record, name) && !(optional && !node.takesUndefined && record[name] === undefined);
}

function assign(target: Record<string, unknown>, name: string, value: unknown, plain: boolean): void {
  if (plain) target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A record's fields, those that an object has in its order first. */
function inOrderOf(json: Record<string, unknown>, fields: ReadonlyMap<string, CompiledField>): readonly CompiledField[] {
  const met = Object.keys(json).flatMap((name) => fields.get(name) ?? []);
  return [...new Set([...met, ...fields.values()])];
}

/** A parsed object without the members that a reader skips: undeclared ones, and Option fields that were null. */
function onlyDeclared(json: Record<string, unknown>, declared: readonly CompiledField[], plain: boolean): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { name, nullIsNone } of declared) {
    if (!Object.hasOwn(json, name)) continue;
    const value = json[name];
    if (value !== null || !nullIsNone) assign(record, name, value, plain);
  }
  return record;
}

/** @throws Refusal `undeclared-member` */
function requireDeclared(object: object, fields: ReadonlyMap<string, CompiledField>, owner: string): void {
  for (const name of Object.keys(object)) {
    if (fields.has(name)) continue;
    throw owned(new Refusal("undeclared-member", "only declared members", `the member ${quoted(name)}`).under(name), owner);
  }
}

function missing(field: FieldNode, owner: string): unknown {
  return owned(new Refusal("missing-member", `the member ${quoted(field.name)} (${field.node.title})`, "an object without it"), owner);
}
