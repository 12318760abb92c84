/** The reference can be written: every link leads somewhere, and every export says what it is. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Comment, DeclarationReflection, FileRegistry, ProjectReflection, ReflectionKind } from "typedoc";
import { expect, it } from "vitest";
import { undocumented } from "../../reference.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

it("has a page for every export of every entry", { timeout: 300_000 }, async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [join(root, "reference.mjs"), "--check"], { cwd: root });
  expect(stderr).toBe("");
});

it("misses what says nothing of itself, but in types that have no name", () => {
  const project = new ProjectReflection("x", new FileRegistry());
  const add = (name: string, kind: ReflectionKind, parent: ProjectReflection | DeclarationReflection, doc?: string) => {
    const reflection = new DeclarationReflection(name, kind, parent);
    if (doc !== undefined) reflection.comment = new Comment([{ kind: "text", text: doc }]);
    project.registerReflection(reflection, undefined, undefined);
    return reflection;
  };
  const silent = add("Silent", ReflectionKind.Interface, project);
  const told = add("Told", ReflectionKind.Interface, project, "What it is.");
  add("member", ReflectionKind.Property, told);
  add("other", ReflectionKind.Property, silent, "What it is.");
  add("part", ReflectionKind.Property, add("__type", ReflectionKind.TypeLiteral, told));
  expect(undocumented(project)).toEqual(["Silent says nothing of itself", "Told.member says nothing of itself"]);
});
