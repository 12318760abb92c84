/** Random programs printed as Flow and read back, and rubbish that must be refused without harm. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECLARATION_CODES } from "../../src/declarations/codes.ts";
import { renderDiagnostic } from "../../src/declarations/diagnostic.ts";
import { outlineFile } from "../../src/declarations/outline.ts";
import { readProgram } from "../../src/declarations/read.ts";
import { PRIMITIVES, type Template, type Term } from "../../src/types/terms.ts";
import { accepted, local } from "./programs.ts";

/** A type as the tokens that write it and the term that it is, local ids being names. */
interface Written {
  readonly tokens: readonly string[];
  readonly term: Term;
}

interface Member {
  readonly name: string;
  readonly type: Written;
  readonly doc: string | null;
}

interface Declared {
  readonly name: string;
  readonly generic: number;
  readonly doc: string | null;
  readonly isOpaque: boolean;
  readonly body:
    | { readonly kind: "record"; readonly fields: readonly Member[] }
    | {
        readonly kind: "enum";
        readonly constructors: readonly { readonly payload: null | readonly Written[] | { readonly named: readonly Member[] } }[];
      }
    | { readonly kind: "host" };
}

const primitive = fc.constantFrom(...PRIMITIVES).map((term): Written => ({ tokens: term.split(/(?=\.)|(?<=\.)/), term }));
const list = (tokens: readonly (readonly string[])[]): string[] => tokens.flatMap((part, i) => (i === 0 ? part : [",", ...part]));

const around =
  (name: "List" | "Set" | "Option") =>
  (inner: Written): Written => ({
    tokens: [name, "<", ...inner.tokens, ">"],
    term: { [name]: inner.term } as unknown as Term,
  });

/**
 * A type inside the declaration of number `own` (-1 for a Tool) with `generic` parameters. Earlier declarations may be
 * named anywhere, later ones behind an Option and without parameters as arguments, so that nothing is endless or grows.
 */
function typeOf(own: number, generic: number, arities: readonly number[], owner: string, depth = 3): fc.Arbitrary<Written> {
  const inner = depth === 0 ? primitive : typeOf(own, generic, arities, owner, depth - 1);
  const named = (from: number, to: number, args: fc.Arbitrary<Written>): fc.Arbitrary<Written>[] =>
    from >= to
      ? []
      : [
          fc.integer({ min: from, max: to - 1 }).chain((index) =>
            fc.array(args, { minLength: arities[index] ?? 0, maxLength: arities[index] ?? 0 }).map((parts): Written => {
              const tokens = parts.length === 0 ? [] : ["<", ...list(parts.map((part) => part.tokens)), ">"];
              return {
                tokens: [`T${index}`, ...tokens],
                term: { Named: { declaration: `T${index}`, args: parts.map((part) => part.term) } },
              };
            }),
          ),
        ];
  const params =
    generic === 0
      ? []
      : [fc.integer({ min: 0, max: generic - 1 }).map((index): Written => ({ tokens: [`P${index}`], term: { Param: { owner, index } } }))];
  if (depth === 0) return fc.oneof(primitive, ...params);
  const end = own < 0 ? arities.length : own;
  return fc.oneof(
    primitive,
    ...params,
    inner.map(around("List")),
    inner.map(around("Option")),
    primitive.map(around("Set")),
    fc.array(inner, { minLength: 2, maxLength: 3 }).map((parts) => ({
      tokens: ["(", ...list(parts.map((part) => part.tokens)), ")"],
      term: { Tuple: parts.map((part) => part.term) },
    })),
    fc.tuple(primitive, inner).map(([key, value]) => ({
      tokens: ["Dict", "<", ...key.tokens, ",", ...value.tokens, ">"],
      term: { Dict: [key.term, value.term] as const },
    })),
    fc.tuple(inner, inner).map(([ok, err]) => ({
      tokens: ["Result", "<", ...ok.tokens, ",", ...err.tokens, ",", ">"],
      term: { Named: { declaration: "Result", args: [ok.term, err.term] } },
    })),
    ...named(0, end, inner),
    ...named(end, arities.length, primitive).map((later) => later.map(around("Option"))),
  );
}

const doc = fc.option(fc.string({ unit: fc.constantFrom(...' ab/"{é\u{1f600}'), maxLength: 8 }).map((text) => text.trimEnd()));

function membersOf(type: fc.Arbitrary<Written>): fc.Arbitrary<Member[]> {
  return fc.array(fc.record({ type, doc }), { maxLength: 4 }).map((members) => members.map((member, i) => ({ name: `m${i}`, ...member })));
}

function declaredOf(index: number, arities: readonly number[]): fc.Arbitrary<Declared> {
  const generic = arities[index] as number;
  const name = `T${index}`;
  const type = typeOf(index, generic, arities, name);
  const payload = fc.oneof(fc.constant(null), fc.array(type, { maxLength: 3 }), fc.record({ named: membersOf(type) }));
  const body = fc.oneof(
    fc.record({ kind: fc.constant("record" as const), fields: membersOf(type) }),
    fc.record({ kind: fc.constant("enum" as const), constructors: fc.array(fc.record({ payload }), { minLength: 1, maxLength: 3 }) }),
    ...(generic === 0 ? [fc.constant({ kind: "host" as const })] : []),
  );
  return fc.record({ name: fc.constant(name), generic: fc.constant(generic), doc, isOpaque: fc.constant(false), body });
}

interface Program {
  readonly declared: readonly Declared[];
  readonly params: readonly Written[];
  readonly ok: Written;
  readonly err: Written;
  readonly doc: string | null;
}

const program: fc.Arbitrary<Program> = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 }).chain((arities) => {
  const type = typeOf(-1, 2, arities, "tool");
  return fc.record({
    declared: fc.tuple(...arities.map((_, i) => declaredOf(i, arities))),
    params: fc.array(type, { maxLength: 3 }),
    ok: type,
    err: type,
    doc,
  });
});

const generics = (count: number): string[] => (count === 0 ? [] : ["<", ...list(Array.from({ length: count }, (_, i) => [`P${i}`])), ">"]);
const docTokens = (text: string | null): string[] => (text === null ? [] : text.split("\n").map((line) => `\n/// ${line}\n`));
const fieldTokens = (fields: readonly Member[]): string[] =>
  fields.flatMap(({ name, type, doc: text }) => [...docTokens(text), name, ":", ...type.tokens, ","]);

function tokensOf({ declared, params, ok, err, doc: toolDoc }: Program): string[] {
  const types = declared.flatMap(({ name, generic, doc: text, body }) => {
    const head = [...docTokens(text), "\n", ...(body.kind === "host" ? ["@", "tool"] : []), "type", name, ...generics(generic)];
    if (body.kind === "host") return head;
    if (body.kind === "record") return [...head, "{", ...fieldTokens(body.fields), "}"];
    const constructors = body.constructors.flatMap(({ payload }, i) => {
      if (payload === null) return [`C${i}`, ","];
      if ("named" in payload) return [`C${i}`, "{", ...fieldTokens(payload.named), "}", ","];
      return [`C${i}`, "(", ...list(payload.map((part) => part.tokens)), ")", ","];
    });
    return [...head, "{", ...constructors, "}"];
  });
  const written = list(params.map((param, i) => [`p${i}`, ":", ...param.tokens]));
  return [
    ...types,
    ...docTokens(toolDoc),
    "\n@",
    "tool",
    "flow",
    "run",
    ...generics(2),
    "(",
    ...written,
    ")",
    "->",
    "Result",
    "<",
    ...ok.tokens,
    ",",
    ...err.tokens,
    ">",
  ];
}

/** A template by its name, with names for local ids, as the model has it. */
function modelOf({ name, generic, doc: text, body }: Declared): object {
  const field = ({ name: of, type, doc: about }: Member): object => ({ name: of, type: type.term, doc: about });
  const common = { name, generic: Array.from({ length: generic }, (_, i) => `P${i}`), doc: text, kind: body.kind };
  if (body.kind === "host") return common;
  if (body.kind === "record") return { ...common, fields: body.fields.map(field) };
  const constructors = body.constructors.map(({ payload }, i) => ({
    name: `C${i}`,
    doc: null,
    payload:
      payload === null ? null : "named" in payload ? { named: payload.named.map(field) } : { positional: payload.map((part) => part.term) },
  }));
  return { ...common, constructors };
}

/** What was read, with names in the place of local ids. */
function byName<T>(value: T, names: ReadonlyMap<string, string>): T {
  if (Array.isArray(value)) return value.map((item) => byName(item, names)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      (key === "declaration" || key === "owner") && inner !== "tool" ? names.get(inner as string) : byName(inner, names),
    ]),
  ) as T;
}

const trivia = fc.constantFrom(" ", "  ", "\n", "\t", "\r\n", " // comment }\n");

describe("random programs", () => {
  it("printed as Flow, in any layout, read back to equal types", async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.infiniteStream(trivia), async (model, spaces) => {
        const text = tokensOf(model)
          .map((token) => token + (token.endsWith("\n") ? "" : (spaces.next().value ?? " ")))
          .join("");
        const { tools, types } = await accepted(text);
        const names = new Map([...types].map(([id, { name }]) => [id, name]));
        const spec = tools[0]?.spec;
        expect(byName([spec?.params.map((param) => param.type), spec?.ok, spec?.err], names)).toEqual([
          model.params.map((param) => param.term),
          model.ok.term,
          model.err.term,
        ]);
        expect(tools[0]?.doc ?? null).toBe(model.doc);
        const read = [...types.values()].filter(({ name }) => name !== "Result");
        for (const template of read) {
          const { identity, lexical_ordinal, opaque, ...rest } = template as Template;
          expect([identity, lexical_ordinal, opaque]).toEqual([`main.flow.${rest.name}`, 1, false]);
          const declared = model.declared.find(({ name }) => name === rest.name) as Declared;
          expect(byName(rest, names)).toEqual(modelOf(declared));
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Texts that are nearly Flow: declarations with pieces left out, repeated and put in. */
const pieces = fc.constantFrom(
  ...'use|"./a"|type|pub|opaque|flow|@tool|@|A|B|x|y|{|}|(|)|<|>|,|:|->|=|.|///doc\n|//c\n|\n| |List|Set|Result<|Int|json.Value|"|\\|[|]|\u0000|é|\ud800|__proto__|type A { x: Int }|@tool flow f(a: A) -> Result<A, B>'.split(
    "|",
  ),
);
const rubbish = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(" ")),
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 80 }),
);

describe("rubbish", () => {
  it("is refused by diagnostics with places in the file, and by nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(rubbish, rubbish, async (a, b) => {
        const files: Record<string, string> = { "a.flow": a, "b.flow": b };
        const read = await readProgram(local(files));
        for (const diagnostic of read.diagnostics ?? []) {
          const { code, file, line, column, endColumn = column } = diagnostic;
          const text = (files[file] as string).split("\n")[line - 1];
          expect(Object.hasOwn(DECLARATION_CODES, code)).toBe(true);
          expect(text).toBeDefined();
          expect(column).toBeGreaterThanOrEqual(1);
          expect(endColumn).toBeGreaterThanOrEqual(column);
          expect(endColumn).toBeLessThanOrEqual((text?.length ?? 0) + 1);
          expect(renderDiagnostic(diagnostic, files[file])).toContain("^");
        }
        outlineFile(a);
      }),
      { numRuns: 400 },
    );
  });

  it("beside a sound declaration on its own line leaves it readable", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        // An opened doc or string ends with its line, brackets by what is left of them.
        const text = `${parts.join(" ")}\ntype Sound { x: Int }\n`;
        const names = outlineFile(text).declarations.map((declared) => declared.name);
        expect(names).toContain("Sound");
      }),
      { numRuns: 300 },
    );
  });
});

describe("hostile files", () => {
  it.each([
    ["brackets", "(".repeat(200_000)],
    ["type arguments", `type A { x: ${"List<".repeat(50_000)}`],
    ["arrows", `type A { x: ${"() -> ".repeat(50_000)}`],
    ["flows without ends", "flow a() = {\n".repeat(20_000)],
    ["quotes", '"\n'.repeat(50_000)],
    ["commas", `@tool flow f(${",".repeat(100_000)}`],
    ["a path of many segments", `use "r/${"a/".repeat(100_000)}b"`],
    ["one name again and again", "type A {}\n".repeat(20_000)],
  ])("%s end in diagnostics", async (_, text) => {
    const read = await readProgram(local(text));
    expect(read.diagnostics?.length).toBeGreaterThan(0);
    expect(read.diagnostics?.length).toBeLessThanOrEqual(1_001);
  });
});
