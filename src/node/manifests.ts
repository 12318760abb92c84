/** Finding the `flow.toml` that speaks for a declaration (*Binding*), and the binding it names. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Configured } from "../host/binder.ts";
import { FlowError } from "../json/errors.ts";
import { decodeUtf8 } from "../json/text.ts";
import type { Binding } from "../protocol/binding.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { parseIdentity } from "../signature/identity.ts";
import type { ToolEntry } from "../signature/tools.ts";
import { type ConfiguredWay, type FlowToml, readFlowToml } from "./flowtoml.ts";
import { McpBinding, mcpServer } from "./mcp.ts";
import type { McpServer } from "./mcpserver.ts";
import type { ProcessOptions } from "./options.ts";
import { bindProcess } from "./process.ts";

/** Where manifests lie, and how what they name is started. */
export interface ManifestOptions {
  /** The directories of repository sources, by `repository@version`, or by `repository` for every version. */
  readonly repositories?: Readonly<Record<string, string>>;
  /** What holds for every process that is started. */
  readonly processes?: Omit<ProcessOptions, "title" | "concurrency">;
}

/** The name of a manifest. */
const MANIFEST = "flow.toml";

/**
 * The bindings that manifests name, for `HostOptions.configured`.
 *
 * A local declaration goes by the nearest manifest in its file's directory or above, and by no other: where that one has no
 * table for the file, nothing is bound. Where its file lies, the run's `base` says; submitted source has none, and nothing
 * is bound to it here. A repository's declaration goes by the manifest at the root of its repository.
 *
 * Declarations whose tables name the same command in the same directory share one process.
 */
export function configuredBy(options: ManifestOptions = {}): Configured {
  const manifests = new Manifests(options);
  return (tool, base) => manifests.bindingOf(tool, base);
}

interface Found {
  readonly directory: string;
  readonly manifest: FlowToml;
  /** The declaring file's path as a table is keyed by it. */
  readonly key: string;
}

class Manifests {
  private readonly options: ManifestOptions;
  private readonly processes = new Map<string, Binding>();
  private readonly servers = new Map<string, McpServer>();
  private readonly mcp = new Map<string, Binding>();

  constructor(options: ManifestOptions) {
    this.options = options;
  }

  async bindingOf(entry: ToolEntry, base: string | undefined): Promise<Binding | undefined> {
    const { repository, version, file } = parseIdentity(entry.tool);
    const found =
      repository === undefined ? await this.local(file, base) : await this.ofRepository(`${repository}@${version}`, repository, file);
    const way = found?.manifest.get(found.key);
    return found === undefined || way === undefined ? undefined : this.binding(entry, found.directory, way);
  }

  private async local(file: string, base: string | undefined): Promise<Found | undefined> {
    if (base === undefined) return undefined;
    const path = resolve(base, file);
    // An identity leads down from its root (R19). One that somebody made up does not choose another manifest.
    if (relative(base, path).split(sep).join("/") !== file) return undefined;
    for (let directory = dirname(path); ; directory = dirname(directory)) {
      const manifest = await readManifest(directory);
      if (manifest !== undefined) return { directory, manifest, key: relative(directory, path).split(sep).join("/") };
      if (directory === dirname(directory)) return undefined;
    }
  }

  private async ofRepository(exact: string, repository: string, file: string): Promise<Found | undefined> {
    const { repositories = {} } = this.options;
    const named = [exact, repository].find((name) => Object.hasOwn(repositories, name));
    if (named === undefined) return undefined;
    const directory = resolve(repositories[named] as string);
    const manifest = await readManifest(directory);
    return manifest === undefined ? undefined : { directory, manifest, key: file };
  }

  private binding(entry: ToolEntry, directory: string, { kind, command, words }: ConfiguredWay): Binding {
    const shared = JSON.stringify([directory, ...words]);
    const { processes = {} } = this.options;
    if (kind === "command")
      return kept(this.processes, shared, () => bindProcess(words, directory, { ...processes, title: `process ${command}` }));
    // The server is shared, its bindings are not: each answers for the declaration it was made for.
    const server = kept(this.servers, shared, () => mcpServer(words, directory, processes));
    const own = JSON.stringify([shared, entry.tool, entry.fingerprint]);
    return kept(this.mcp, own, () => new McpBinding(server, [entry], `mcp ${command}`, undefined));
  }
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/**
 * The manifest in a directory; undefined where there is none.
 * @throws FlowError `manifest` for one that cannot be read; as {@link readFlowToml} does
 */
async function readManifest(directory: string): Promise<FlowToml | undefined> {
  const path = join(directory, MANIFEST);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new FlowError("manifest", `${path} cannot be read: ${reasonOf(cause)}`, { at: { file: path, line: 1, column: 1 }, cause });
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new FlowError("toml", `${path}: no TOML: not UTF-8`, { at: { file: path, line: 1, column: 1 } });
  return readFlowToml(text, path);
}
