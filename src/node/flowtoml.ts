/** Reading `flow.toml` (*flow.toml*): how to run the implementations of each file's Tools, and nothing else. */
import { parse, TomlError } from "smol-toml";
import { FlowError } from "../json/errors.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { keyPlaces, type Place, pathKey } from "./tomlplaces.ts";
import { splitWords } from "./words.ts";

/** How the Tools of one file are reached. */
export interface ConfiguredWay {
  /** Which of the two the table names. */
  readonly kind: "command" | "mcp";
  /** The command as it is written, and its words. */
  readonly command: string;
  /** The command's words (R31). */
  readonly words: readonly string[];
}

/** A manifest: ways by the path of the declaring file, relative to the manifest's directory. */
export type FlowToml = ReadonlyMap<string, ConfiguredWay>;

/**
 * Reads a manifest.
 * @param file The name that errors give it.
 * @throws FlowError with file, line and column; where there are several faults, the first one with all of them in
 *   `errors`: `toml` for text that is no TOML, `unknown-key`, `table` for a value where a table or a string belongs,
 *   `no-way` for a table that names neither `command` nor `mcp`, `several-ways` for one that names both, `command` for
 *   a command that cannot be split into words (R31)
 */
export function readFlowToml(text: string, file: string): FlowToml {
  return new Reader(text, file).read();
}

class Reader {
  private readonly text: string;
  private readonly file: string;
  private readonly faults: FlowError[] = [];
  private readonly ways = new Map<string, ConfiguredWay>();
  private places: ReadonlyMap<string, Place> = new Map();

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  read(): FlowToml {
    const document = this.parse();
    this.places = keyPlaces(this.text);
    for (const [key, value] of Object.entries(document)) {
      if (key !== "tools")
        this.fault("unknown-key", [key], `the key ${JSON.stringify(key)} means nothing here; tables are named [tools."FILE"]`);
      else if (!isTable(value)) this.fault("table", [key], "tools is a table of tables");
      else for (const [path, table] of Object.entries(value)) this.table(path, table);
    }
    const [first] = this.faults;
    if (first === undefined) return this.ways;
    if (this.faults.length === 1) throw first;
    throw new FlowError(first.code, this.faults.map(({ message }) => message).join("\n"), { at: first.at, errors: this.faults });
  }

  private parse(): Readonly<Record<string, unknown>> {
    try {
      return parse(this.text);
    } catch (cause) {
      if (!(cause instanceof TomlError)) throw cause;
      const { line, column } = cause;
      const why = cause.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "";
      throw new FlowError("toml", `${this.file}:${line}:${column}: no TOML: ${why}`, { at: { file: this.file, line, column }, cause });
    }
  }

  private table(path: string, table: unknown): void {
    const place = ["tools", path];
    if (!isTable(table)) {
      this.fault("table", place, `${JSON.stringify(path)} is a table that names command or mcp`);
      return;
    }
    const known: ("command" | "mcp")[] = [];
    for (const key of Object.keys(table)) {
      if (key === "command" || key === "mcp") known.push(key);
      else this.fault("unknown-key", [...place, key], `the key ${JSON.stringify(key)} means nothing here; a table names command or mcp`);
    }
    const [kind, other] = known;
    if (kind === undefined) this.fault("no-way", place, `${JSON.stringify(path)} names neither command nor mcp`);
    else if (other !== undefined) this.fault("several-ways", [...place, other], `${JSON.stringify(path)} names both ${kind} and ${other}`);
    else this.way(path, kind, table[kind]);
  }

  private way(path: string, kind: "command" | "mcp", command: unknown): void {
    const place = ["tools", path, kind];
    if (typeof command !== "string") {
      this.fault("table", place, `${kind} is a command, a string`);
      return;
    }
    try {
      this.ways.set(path, { kind, command, words: splitWords(command) });
    } catch (caught) {
      this.fault("command", place, reasonOf(caught));
    }
  }

  private fault(code: string, path: readonly string[], why: string): void {
    const { line, column } = this.places.get(pathKey(path)) ?? { line: 1, column: 1 };
    this.faults.push(new FlowError(code, `${this.file}:${line}:${column}: ${why}`, { at: { file: this.file, line, column } }));
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
