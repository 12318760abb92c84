/**
 * A plugin for Stryker: leaves alone what is said to people. The code and the place of a refusal are fixed and mutated; its
 * sentence may change at any time (R35), so no test asks for its words.
 */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** What makes refusals: the arguments that are sentences come behind the first, or are all there is. */
const BEHIND_THE_FIRST = new Set(["FlowError", "Refusal", "DocumentRefusal", "refusal", "notAMessage"]);
const ALL = new Set(["syntax", "malformed", "tooMany", "documentTooLarge", "Error"]);
const METHODS_BEHIND_THE_FIRST = new Set(["fail", "refuse"]);

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "sentences", {
    shouldIgnore(path) {
      return isText(path.node) && isSentence(path) ? "a sentence for people" : undefined;
    },
  }),
];

function isText(node) {
  return node.type === "StringLiteral" || node.type === "TemplateLiteral";
}

/** Whether a text, or what it is part of, is handed to a maker of refusals as its sentence. */
function isSentence(path) {
  let inner = path;
  for (let outer = path.parentPath; outer != null; inner = outer, outer = outer.parentPath) {
    const { node } = outer;
    if (node.type === "ConditionalExpression" || node.type === "TemplateLiteral" || node.type === "LogicalExpression") continue;
    if (node.type !== "CallExpression" && node.type !== "NewExpression") return false;
    const position = node.arguments.indexOf(inner.node);
    const { callee } = node;
    const name = callee.type === "MemberExpression" ? callee.property.name : callee.name;
    if (ALL.has(name)) return position >= 0;
    if (BEHIND_THE_FIRST.has(name) || (METHODS_BEHIND_THE_FIRST.has(name) && callee.type === "MemberExpression")) return position >= 1;
    return false;
  }
  return false;
}
