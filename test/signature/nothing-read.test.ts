/** *Type descriptions*: "Supplied type names do not cause source lookup or select code to import." */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundleScript } from "../contract/bundle.ts";

it("names in a view and of a Tool are read as names: no file, address or module is touched by a generic call", async () => {
  const script = await bundleScript(new URL("./nothing-read.script.ts", import.meta.url));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", script.path]);
    const { outcomes, touched, imported, noticed, ran } = JSON.parse(stdout) as Record<string, unknown>;
    expect(outcomes).toEqual(Array.from({ length: 10 }, () => "Ok"));
    expect(touched).toEqual([]);
    expect(ran).toBe(false);
    // The watch was on: it noticed the one look and the one import that were meant.
    expect(noticed).toEqual(expect.arrayContaining(["fs.promises.readFile", "fetch"]));
    expect(imported).toEqual(["node:querystring"]);
  } finally {
    await script.remove();
  }
});
