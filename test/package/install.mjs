/** The package as its users get it: packed as `npm publish` packs it, and installed into an empty project by npm itself. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONSUMER = fileURLToPath(new URL("consumer/", import.meta.url));
/** npm's own settings are the user's; what a test run hands down is not. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST|NODE_OPTIONS|FORCE_COLOR)/.test(name)),
);

/**
 * Runs a program, without a shell.
 * @param {string[]} args
 * @returns {Promise<string>} what it prints
 * @throws Error with all that it printed, unless it ends well
 */
export async function run(command, args, cwd) {
  try {
    const env = { ...ENVIRONMENT, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
    return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    throw new Error([`${command} ${args.join(" ")}: ${error.message}`, error.stdout, error.stderr].join("\n"));
  }
}

/**
 * @typedef {object} Tarball
 * @property {string} path
 * @property {readonly { path: string, size: number }[]} files
 * @property {number} size of the tarball, in bytes
 * @property {number} unpackedSize of its files together, in bytes
 */

/**
 * Packs the package, and others with it. Of ours the build must be there; `prepack`, which makes it and checks it, is not run.
 * @param {string} into a directory
 * @param {readonly string[]} others directories of other packages
 * @returns {Promise<Tarball[]>}
 */
export async function pack(into, others = []) {
  const packed = JSON.parse(await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", into, ROOT, ...others], ROOT));
  return packed.map(({ filename, files, size, unpackedSize }) => ({ path: join(into, filename), files, size, unpackedSize }));
}

/**
 * Installs the package into an empty project, and lays the files of `consumer/` there.
 * @returns {Promise<{ tarball: Tarball, project: string, installed: string, remove: () => Promise<void> }>} `installed` is where
 *   the project has the package
 */
export async function install() {
  const directory = await mkdtemp(join(tmpdir(), "flow-host-package-"));
  try {
    const project = join(directory, "project");
    // What it depends on comes from here as well: npm resolves and places it as ever, and needs no network for it.
    const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const needed = Object.keys(dependencies).map((name) => join(ROOT, "node_modules", name));
    const [tarball, ...others] = await pack(directory, needed);
    await cp(CONSUMER, project, { recursive: true });
    await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball.path, ...others.map(({ path }) => path)], project);
    const installed = join(project, "node_modules/flow-host");
    await generate(project);
    for (const name of ["@types/node", "@cloudflare/workers-types", "@bytecodealliance/jco", "esbuild"]) await link(project, name);
    return { tarball, project, installed, remove: () => rm(directory, { recursive: true, force: true }) };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** `shop.ts`, by the command that the package brings. */
async function generate(project) {
  const command = join(project, "node_modules/.bin/flow-host");
  await writeFile(join(project, "tools.json"), await run(command, ["tools", "shop.flow"], project));
  await run(command, ["toolkit", "tools.json", "-o", "shop.ts"], project);
}

async function link(project, name) {
  const place = join(project, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(ROOT, "node_modules", name), place);
}
