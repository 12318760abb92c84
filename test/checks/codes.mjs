/** R35: the codes of refusals are closed lists, and `docs/decisions.md` has them. */
import ts from "typescript";
import { parse, visit } from "./bundles.mjs";
import { projectFiles } from "./files.mjs";

export const codeChecks = {
  "every code of a refusal is listed": async () =>
    codeListFaults(await projectFiles("src"), (await projectFiles("docs/decisions.md")).get("docs/decisions.md") ?? ""),
};

/** What takes a code as its first argument. */
const MAKERS = new Set(["FlowError", "Refusal", "refusal"]);

/**
 * @param {import("./files.mjs").Files} files those of `src/`
 * @param {string} decisions
 * @returns {string[]}
 */
export function codeListFaults(files, decisions) {
  const [, lists = ""] = decisions.split(/^## Codes$/m);
  const listed = new Set(
    [...lists.matchAll(/^\| ((?:`[\w-]+`(?: · )?)+) \|/gm)].flatMap(([, codes]) => codes.split(" · ").map((code) => code.slice(1, -1))),
  );
  const faults = [];
  for (const [path, text] of files) {
    if (!path.endsWith(".ts")) continue;
    visit(parse(text), (node) => {
      if (!(ts.isCallExpression(node) || ts.isNewExpression(node))) return;
      const code = node.arguments?.[0];
      if (!ts.isIdentifier(node.expression) || !MAKERS.has(node.expression.text) || code === undefined || !ts.isStringLiteralLike(code))
        return;
      if (!listed.has(code.text)) faults.push(`${path} refuses with ${code.text}, which is in no list of docs/decisions.md`);
    });
  }
  return [...new Set(faults)];
}
