/**
 * `npm` as the walk calls it, without a registry: `install` puts the packages there that this repository has, itself
 * among them as it would be published; everything else is npm's.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const [command, ...words] = process.argv.slice(2);

if (command === "install") for (const name of words) install(name);
else process.exitCode = spawnSync(process.env["REAL_NPM"] ?? "npm", process.argv.slice(2), { stdio: "inherit" }).status ?? 1;

function install(name) {
  const place = join("node_modules", name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  const from = name === "flow-host" ? ROOT : join(ROOT, "node_modules", name);
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  if (name === "flow-host") {
    mkdirSync(place);
    cpSync(join(ROOT, "package.json"), join(place, "package.json"));
    cpSync(join(ROOT, "dist"), join(place, "dist"), { recursive: true });
  } else {
    symlinkSync(from, place);
  }
  mkdirSync("node_modules/.bin", { recursive: true });
  for (const [bin, path] of Object.entries(manifest.bin ?? {})) {
    if (name === "flow-host") chmodSync(join(place, path), 0o755);
    symlinkSync(join("..", name, path), join("node_modules/.bin", bin));
  }
  for (const dependency of Object.keys(manifest.dependencies ?? {})) if (name === "flow-host") install(dependency);
}
