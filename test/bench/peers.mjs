/** The types of the documents as other libraries want them. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { z } from "zod";

/** JSON Schemas for ajv, which turns them into code. */
const schemas = {
  records: items(
    object(
      {
        id: { type: "integer" },
        name: { type: "string" },
        price: { type: "number" },
        quantity: { type: "integer" },
        active: { type: "boolean" },
        tags: items({ type: "string" }),
        note: { type: "string" },
      },
      ["note"],
    ),
  ),
  numbers: items(object({ at: { type: "integer" }, values: items({ type: "number" }) })),
  strings: items({ type: "string" }),
  tree: {
    ...items({ $ref: "#/$defs/Node" }),
    $defs: { Node: object({ label: { type: "string" }, weight: { type: "integer" }, children: items({ $ref: "#/$defs/Node" }) }) },
  },
};

function items(schema) {
  return { type: "array", items: schema };
}

function object(properties, optional = []) {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

const zodNode = z.object({
  label: z.string(),
  weight: z.number().int(),
  get children() {
    return z.array(zodNode);
  },
});

const zods = {
  records: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      price: z.number(),
      quantity: z.number().int(),
      active: z.boolean(),
      tags: z.array(z.string()),
      note: z.string().optional(),
    }),
  ),
  numbers: z.array(z.object({ at: z.number().int(), values: z.array(z.number()) })),
  strings: z.array(z.string()),
  tree: z.array(zodNode),
};

const integer = v.pipe(v.number(), v.integer());
const valibotNode = v.object({ label: v.string(), weight: integer, children: v.array(v.lazy(() => valibotNode)) });

const valibots = {
  records: v.array(
    v.object({
      id: integer,
      name: v.string(),
      price: v.number(),
      quantity: integer,
      active: v.boolean(),
      tags: v.array(v.string()),
      note: v.optional(v.string()),
    }),
  ),
  numbers: v.array(v.object({ at: integer, values: v.array(v.number()) })),
  strings: v.array(v.string()),
  tree: v.array(valibotNode),
};

/** Validators of parsed JSON for one kind of document: each gives the value or throws. */
export function validators(kind) {
  const check = new Ajv2020().compile(schemas[kind]);
  const zod = zods[kind];
  const valibot = valibots[kind];
  return {
    ajv(value) {
      if (!check(value)) throw new Error("ajv refused the document");
      return value;
    },
    zod: (value) => zod.parse(value),
    zodJitless: (value) => zod.parse(value, { jitless: true }),
    valibot: (value) => v.parse(valibot, value),
  };
}
