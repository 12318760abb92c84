/** The titles of the tests in a file, as they are written: those of `describe`, `it` and `test`, of their `each` too. */
import ts from "typescript";
import { parse, visit } from "../checks/bundles.mjs";

export function titlesIn(source: string): ReadonlySet<string> {
  const titles = new Set<string>();
  visit(parse(source), (node: ts.Node) => {
    if (!ts.isCallExpression(node) || !/^(?:describe|it|test)$/.test(rootOf(node.expression))) return;
    const [title] = node.arguments;
    if (title !== undefined && ts.isStringLiteralLike(title)) titles.add(title.text);
    // What a template puts in is a name of the test's own.
    if (title !== undefined && ts.isTemplateExpression(title)) titles.add(title.getText().slice(1, -1));
  });
  return titles;
}

/** `it` of `it`, `it.each([…])` and `describe.each([…])`. */
function rootOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression)) return rootOf(expression.expression);
  return "";
}
