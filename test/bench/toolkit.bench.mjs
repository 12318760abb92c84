/** What the toolkit costs in process: against a function that is bound without it, and with views that repeat or do not. */
const PLAIN = "a.flow.read";
const GENERIC = "a.flow.same";
const CALLS = 200;
const DOCUMENT = { id: "tool", title: "Tools", body: "A Tool is a declaration; an implementation answers its calls." };
const SOURCE = `
type Document { id: Text, title: Text, body: Text }
@tool flow read(id: Text) -> Result<Document, Text>
@tool flow same<T>(value: T) -> Result<T, Text>
`;

export default {
  title: "The toolkit in process",
  about: `${CALLS} calls one after the other. A function is given values and its outcome is checked by the host; a toolset encodes its result as well, so that one that does not encode is Unknown. Generic calls bring their types along, and a method gets JSON.`,
  async *groups({ flow }) {
    const { defineToolkit, implement } = await import("../../dist/toolkit.js");
    const { readProgram } = await import("../../dist/declarations.js");
    const { document } = await readProgram({ repositories: [], local: { files: { "a.flow": SOURCE } } });
    const tools = await flow.readTools(document);
    const answer = (id) => ({ tag: "Ok", value: { ...DOCUMENT, id } });
    const toolset = implement(defineToolkit(embedded(flow, document)), {
      read: async ({ id }) => answer(id),
      same: async ({ value }) => ({ tag: "Ok", value }),
    });
    const texts = { describe: (data) => toolset.describe(data), answer: (call, signal) => toolset.answer(call, signal) };
    const functions = { read: async ({ id }) => answer(id), same: async ({ value }) => ({ tag: "Ok", value }) };
    const bound = Object.fromEntries(
      tools.tools.map((entry) => [entry.tool, flow.bindFunction(entry, functions[entry.tool.split(".").at(-1)])]),
    );
    const same = (binding) => ({ [PLAIN]: binding, [GENERIC]: binding });
    const runs = [];
    for (const bindings of [bound, same(flow.bindToolset(toolset)), same(flow.bindToolset(texts))])
      runs.push(await open(flow, tools, bindings));
    const [functionRun, valuesRun, textsRun] = runs.map(({ run }) => run);
    const plain = (run) => repeated(() => run.call(PLAIN, { id: "tool" }));
    yield {
      title: `${CALLS} calls`,
      rows: [
        { name: "bindFunction", note: "values", run: plain(functionRun) },
        { name: "bindToolset", note: "values", run: plain(valuesRun) },
        { name: "bindToolset, as texts", note: "as every other way", run: plain(textsRun) },
      ],
    };
    const types = { bindings: { T: { List: "Int" } } };
    let turn = 0;
    const generic = (run, of) => repeated(() => run.call(GENERIC, { value: [1n, 2n] }, { types: of() }));
    // A record of another name each time, more of them than are kept: no two calls share their views.
    const others = Array.from({ length: 1_000 }, (_, i) => phantom(flow, i));
    yield {
      title: `${CALLS} generic calls`,
      rows: [
        { name: "bindFunction", note: "values", run: generic(functionRun, () => types) },
        { name: "bindToolset, the same types", note: "views read once", run: generic(valuesRun, () => types) },
        {
          name: "bindToolset, other types each time",
          note: "views read anew",
          run: repeated(() => {
            const { type, declarations } = others[turn++ % others.length];
            return valuesRun.call(GENERIC, { value: { items: [1n, 2n] } }, { types: { bindings: { T: type }, declarations } });
          }),
        },
      ],
    };
    for (const { end } of runs) end();
  },
};

function repeated(call) {
  return async () => {
    let last;
    for (let i = 0; i < CALLS; i++) last = await call();
    if (last.tag !== "Ok") throw new Error(last.value);
    return last;
  };
}

/** A run that stays open for as long as it is measured. */
async function open(flow, tools, bindings) {
  let end;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const { run } = await flow.createHost({ bindings }).start({ program: { tools, run: () => ended } });
  return { run, end };
}

function phantom(flow, i) {
  const named = { Named: { declaration: "mine", args: [] } };
  const field = { name: "items", type: { List: "Int" }, doc: null };
  const mine = {
    name: `Mine${i}`,
    identity: `b.flow.Mine${i}`,
    lexical_ordinal: 1n,
    generic: [],
    opaque: false,
    kind: "record",
    doc: null,
    fields: [field],
  };
  const view = { bindings: [{ name: "T", type: named }], params: [], ok: "Unit", err: "Never", declarations: { mine } };
  return { type: named, declarations: flow.readTypesView(view).declarations };
}

/** As generated source has the Tools. */
function embedded(flow, { tools, types }) {
  const entries = tools.map(({ tool, doc, fingerprint, generic, params, ok, err }) => [
    tool.split(".").at(-1),
    { tool, doc, fingerprint, roots: flow.canonicalText(flow.jsonObject({ generic, params, ok, err })) },
  ]);
  return { data: "0.1", tools: Object.fromEntries(entries), types: flow.canonicalText(types) };
}
