/**
 * `prepublishOnly`: what npm finds out only once it is too late, or never. Provenance says publicly from which repository a
 * package was built, and npm compares that with the one which the package names.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * @param {{ version?: string, repository?: unknown }} manifest package.json
 * @param {{ version?: string }} jsr jsr.json
 * @returns {string[]}
 */
export function publishFaults({ version, repository }, jsr) {
  const url = typeof repository === "string" ? repository : repository?.url;
  return [
    ...(typeof url === "string" && url !== ""
      ? []
      : ["package.json names no `repository`: set it to the public home of the sources, as README says of releases"]),
    ...(version === jsr.version ? [] : [`package.json is of version ${version}, jsr.json of ${jsr.version}`]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [manifest, jsr] = await Promise.all(["package.json", "jsr.json"].map(async (file) => JSON.parse(await readFile(file, "utf8"))));
  const faults = publishFaults(manifest, jsr);
  for (const fault of faults) console.error(`not published: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
