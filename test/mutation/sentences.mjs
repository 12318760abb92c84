/**
 * A plugin for Stryker: leaves alone what is said to people. The code and the place of a refusal are fixed and mutated; its
 * sentence may change at any time (R35), so no test asks for its words.
 */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** What makes refusals, and which of its arguments make the sentence: the first of them, and the one behind the last. */
const FUNCTIONS = {
  FlowError: [1, 2],
  Refusal: [1, 3],
  DocumentRefusal: [1, 3],
  refusal: [2, 4],
  tooMany: [0, 3],
  documentTooLarge: [1, 2],
  notAMessage: [1, 2],
  malformed: [0, 1],
  Error: [0, 1],
  refuseKind: [0, 1],
  titled: [0, 1],
  outOfOrder: [1, 2],
};
const METHODS = {
  syntax: [0, 1],
  fail: [1, 3],
  // What a member should have been, as the readers of descriptions say it.
  exact: [2, 3],
  open: [2, 3],
  text: [1, 2],
  list: [1, 2],
  parameters: [1, 2],
  // What must not cross.
  forbid: [1, 2],
  unordered: [1, 2],
};

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "sentences", {
    shouldIgnore(path) {
      // A name that is written as a string; there is no other place for a mutant than the name itself.
      if (path.parent?.type === "ClassMethod" && path.parent.key === path.node) return "the name of a member";
      return isSentence(path.node, path.parent) ? "a sentence for people" : undefined;
    },
  }),
];

/** What an object tells beside its kind. */
const MEMBERS = new Set(["detail", "reason", "title"]);

function isSentence(node, parent) {
  if (parent?.type === "ObjectProperty") return parent.value === node && MEMBERS.has(parent.key.name);
  if (parent?.type !== "CallExpression" && parent?.type !== "NewExpression") return false;
  const position = parent.arguments.indexOf(node);
  const { callee } = parent;
  const isMethod = callee.type === "MemberExpression";
  const name = isMethod ? callee.property.name : callee.name;
  const table = isMethod ? METHODS : FUNCTIONS;
  if (!Object.hasOwn(table, name)) return false;
  // With one argument alone there is no code in front of it.
  const [from, to] = name === "fail" && parent.arguments.length === 1 ? [0, 1] : table[name];
  return from <= position && position < to;
}
