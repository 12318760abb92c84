/** The other components that are written in AssemblyScript, through a host: exact numbers, and a generic Tool by its call's types. */
import { readFile } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bindComponent } from "../../src/bindings/component.ts";
import { readProgram } from "../../src/declarations/read.ts";
import { createHost } from "../../src/host/host.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { parseJson } from "../../src/json/read.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { readTools, type ToolsDocument, toolsText } from "../../src/signature/tools.ts";
import type { Term } from "../../src/types/terms.ts";
import { program } from "../host/support.ts";
import { type BuiltComponent, builtComponent, demoTools } from "./built.ts";

const POST = "ledger.flow.post";
const LEAST = "lists.flow.least";

const hosts: { [Symbol.asyncDispose](): Promise<void> }[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host[Symbol.asyncDispose]();
});

async function outcomeOf(tools: ToolsDocument, tool: string, component: BuiltComponent, args: object, types?: object): Promise<Outcome> {
  const host = createHost({ bindings: { [tool]: bindComponent(component.instantiate, component.getCoreModule) } });
  hosts.push(host);
  const only = { ...tools, tools: tools.tools.filter((entry) => entry.tool === tool) };
  const { result } = await host.start({ program: program(only, (run) => run.call(tool, args as Record<string, unknown>, types ?? {})) });
  return result;
}

/** What a component answers to arguments that no host would send. */
async function answerTo(component: BuiltComponent, tool: string, args: string, views: { schema?: string; types?: string } = {}) {
  const binding: Binding = bindComponent(component.instantiate, component.getCoreModule);
  const { tools } = await binding.describe("0.1", new AbortController().signal);
  const { fingerprint } = tools[0] as { fingerprint: string };
  return binding.call({ run: "r", call: "1", tool, fingerprint, values: {}, args, ...views });
}

describe("the ledger", () => {
  let ledger: BuiltComponent;
  let tools: ToolsDocument;
  const post = (posting: object) => outcomeOf(tools, POST, ledger, { posting });

  beforeAll(async () => {
    [ledger, tools] = await Promise.all([builtComponent("ledger"), demoTools()]);
  }, 60_000);

  it.each([
    { account: 2n ** 66n + 1n, amount: Decimal.from("123456789012345.678901234567891"), note: 'as exact "as" it went 🔏' },
    { account: -(2n ** 200n), amount: Decimal.from("-0.00000000000000000000000000001") },
    { account: 0n, amount: Decimal.from("1e60") },
    { account: 1n, amount: Decimal.from("-1e60"), note: "" },
  ])("gives a posting back as it went: $account", async (posting) => {
    expect(await post(posting)).toEqual({ tag: "Ok", value: posting });
  });

  it.each([
    "1.000000000000000000000000001e60",
    "1e61",
    "-1e60000".slice(0, 6),
    "2e60",
    "-1000000000000000000000000000000000000000000000000000000000001",
  ])("books no amount of %s", async (amount) => {
    const value = { tag: "TooLarge", value: { limit: Decimal.from("1e60") } };
    expect(await post({ account: 1n, amount: Decimal.from(amount) })).toEqual({ tag: "Failed", value });
  });

  it.each([
    ["[]", "args is not a JSON object"],
    ["{}", "args is not an object with the one member posting"],
    ['{"posting":[]}', "posting is not an object"],
    ['{"posting":{}}', "posting has no member account"],
    ['{"posting":{"account":1}}', "posting has no member amount"],
    ['{"posting":{"account":1.5,"amount":1}}', "account is not a whole number in plain digits"],
    ['{"posting":{"account":1e3,"amount":1}}', "account is not a whole number in plain digits"],
    ['{"posting":{"account":"1","amount":1}}', "account is not a whole number in plain digits"],
    ['{"posting":{"account":1,"amount":null}}', "amount is not a number in plain digits"],
    ['{"posting":{"account":1,"amount":1,"note":null}}', "note is not a string"],
    ['{"posting":{"account":1,"amount":1,"amount":2}}', "posting has the member amount twice"],
    ['{"posting":{"account":1,"amount":1,"more":{"deep":[1,{"a":"b"},true,null]}}}', "posting has a member that is not declared"],
    ['{"posting":{"account":01,"amount":1}}', "args is not an object with the one member posting"],
    ['{"posting":{"account":1,"amount":1},"x":1}', "args is not an object with the one member posting"],
    [`{"posting":{"more":${"[".repeat(500)}${"]".repeat(500)}}}`, "posting is not JSON text"],
  ])("refuses %s before anything is booked", async (args, reason) => {
    expect(await answerTo(ledger, POST, args)).toEqual({ tag: "NotRun", reason, from: "tool" });
  });
});

describe("the least item", () => {
  let least: BuiltComponent;
  let tools: ToolsDocument;
  const leastOf = (T: Term, items: readonly unknown[]) => outcomeOf(tools, LEAST, least, { items }, { types: { bindings: { T } } });

  beforeAll(async () => {
    least = await builtComponent("least");
    tools = await readTools(parseJson(await readFile(new URL("../../wasm-tools/least/tools.json", import.meta.url))));
  }, 60_000);

  it("is declared as its Flow file says", async () => {
    const flow = await readFile(new URL("../../wasm-tools/least/lists.flow", import.meta.url), "utf8");
    const read = await readProgram({ repositories: [], local: { files: { "lists.flow": flow } } });
    if (read.diagnostics !== undefined) throw new Error("the Flow file is refused");
    expect(await toolsText(tools.tools)).toBe(await toolsText(read.tools));
  });

  it("is found among whole numbers of any size", async () => {
    expect(await leastOf("Int", [5n, -3n, 2n ** 80n, -(2n ** 70n), -12n])).toEqual({ tag: "Ok", value: -(2n ** 70n) });
    expect(await leastOf("Int", [10n, 9n])).toEqual({ tag: "Ok", value: 9n });
    expect(await leastOf("Int", [0n])).toEqual({ tag: "Ok", value: 0n });
  });

  it("is found among decimals of any precision", async () => {
    const decimals = ["0.1", "0.10000000000000000000000000000000001", "0.09", "12"].map(Decimal.from);
    expect(await leastOf("Decimal", decimals)).toEqual({ tag: "Ok", value: Decimal.from("0.09") });
    expect(await leastOf("Decimal", ["-0.5", "-0.51", "3", "-0.501"].map(Decimal.from))).toEqual({
      tag: "Ok",
      value: Decimal.from("-0.51"),
    });
  });

  it("is found among truth values", async () => {
    expect(await leastOf("Bool", [true, false, true])).toEqual({ tag: "Ok", value: false });
    expect(await leastOf("Bool", [true])).toEqual({ tag: "Ok", value: true });
  });

  it("is none of an empty list", async () => {
    expect(await leastOf("Int", [])).toEqual({ tag: "Failed", value: { tag: "Empty" } });
  });

  it("is not looked for where the call's types name an order that this Tool does not have", async () => {
    const reason = "this Tool orders Int, Decimal and Bool, and types binds T to none of them";
    expect(await leastOf("Text", ["a"])).toEqual({ tag: "NotRun", value: reason });
    expect(await leastOf({ List: "Int" }, [[1n]])).toEqual({ tag: "NotRun", value: reason });
  });

  it.each([
    [{}, "a call of a generic Tool has schema and types"],
    [{ schema: "{}" }, "a call of a generic Tool has schema and types"],
    [{ schema: "{}", types: "{" }, "this Tool orders Int, Decimal and Bool, and types binds T to none of them"],
    [{ schema: "{}", types: '{"ok":"Int"} x' }, "this Tool orders Int, Decimal and Bool, and types binds T to none of them"],
    [{ schema: "{}", types: '{"ok":"Int"}' }, "an item is not a value of the type that types binds T to"],
  ])("refuses a call with the views %j", async (views, reason) => {
    expect(await answerTo(least, LEAST, '{"items":[1,2.5]}', views)).toEqual({ tag: "NotRun", reason, from: "tool" });
  });
});
