/**
 * The documents that the benchmarks read and write: seeded, so that every run and every machine has the same ones.
 *
 * Each kind is one document in three sizes. Members stand in the order of their declaration, as a service that was
 * written by hand sends them, and no number has more digits than a price or an id has.
 */

/** @typedef {{ name: string, text: string, plain: unknown, type: unknown, declarations: Record<string, unknown> }} Document */

export const SIZES = Object.freeze({ "1 KB": 1_000, "160 KB": 160_000, "8 MB": 8_000_000 });

/** A small generator of numbers from 0 to 1 (mulberry32), the same on every machine. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = "amber basalt cedar delta ember fjord garnet harbour indigo juniper kelp lantern meadow nectar orchid pebble".split(" ");

function words(next, count) {
  return Array.from({ length: count }, () => WORDS[Math.floor(next() * WORDS.length)]).join(" ");
}

/** A record declaration as a type description has it. */
function record(name, fields) {
  return {
    name,
    identity: `bench.flow.${name}`,
    lexical_ordinal: 1,
    generic: [],
    opaque: false,
    kind: "record",
    doc: null,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type, doc: null })),
  };
}

const named = (declaration) => ({ Named: { declaration, args: [] } });

/** How the items of each kind look, and their type. An item is some 20 to 150 characters. */
const KINDS = {
  records: {
    item: named("Item"),
    declarations: {
      Item: record("Item", {
        id: "Int",
        name: "Text",
        price: "Decimal",
        quantity: "Int",
        active: "Bool",
        tags: { List: "Text" },
        note: { Option: "Text" },
      }),
    },
    make(next, index) {
      const item = {
        id: 100_000 + index,
        name: words(next, 3),
        price: Math.round(next() * 100_000) / 100,
        quantity: Math.floor(next() * 50),
        active: next() < 0.5,
        tags: Array.from({ length: Math.floor(next() * 4) }, () => words(next, 1)),
      };
      return next() < 0.3 ? { ...item, note: words(next, 4) } : item;
    },
  },
  numbers: {
    item: named("Sample"),
    declarations: { Sample: record("Sample", { at: "Int", values: { List: "Decimal" } }) },
    make(next, index) {
      return { at: 1_700_000_000 + index * 60, values: Array.from({ length: 8 }, () => Math.round(next() * 2_000_000 - 1_000_000) / 1000) };
    },
  },
  strings: {
    item: "Text",
    declarations: {},
    make(next) {
      const text = words(next, 2 + Math.floor(next() * 20));
      const kind = next();
      return kind < 0.05 ? `${text}\n"${words(next, 2)}"` : kind < 0.1 ? `${text} – żółć 日本 🌲` : text;
    },
  },
  tree: {
    item: named("Node"),
    declarations: { Node: record("Node", { label: "Text", weight: "Int", children: { List: named("Node") } }) },
    make(next, index, depth = 0) {
      const children = depth >= 4 ? 0 : Math.floor(next() * 4);
      return {
        label: words(next, 1),
        weight: Math.floor(next() * 1000),
        children: Array.from({ length: children }, () => KINDS.tree.make(next, index, depth + 1)),
      };
    },
  },
};

export const KIND_NAMES = Object.freeze(Object.keys(KINDS));

/**
 * One document.
 * @param {string} kind one of {@link KIND_NAMES}
 * @param {number} bytes the length of its text, which it passes by less than one item
 * @returns {Document}
 */
export function makeDocument(kind, bytes) {
  const { item, declarations, make } = KINDS[kind];
  const next = random(20_251_130);
  const items = [];
  for (let length = 2, index = 0; length < bytes; index++) {
    const value = make(next, index);
    items.push(value);
    length += JSON.stringify(value).length + 1;
  }
  return { name: kind, text: JSON.stringify(items), plain: items, type: { List: item }, declarations };
}
