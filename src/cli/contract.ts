/** `flow-host contract`: Capability Contract/1 on the command line. */
import { type Contract, readContract } from "../contracts/descriptor.ts";
import { diffContracts } from "../contracts/diff.ts";
import { canonicalJson1, readJson1 } from "../contracts/json1.ts";
import { readPackage } from "../contracts/package/package.ts";
import type { CompiledSchema } from "../contracts/schema1/schema.ts";
import { type FlowError, isFlowError } from "../json/errors.ts";
import { readPackageDirectory } from "../node/package-files.ts";
import { type Command, errorJson, type Io, misuse, OK, REFUSED, type Words } from "./command.ts";
import { placed, readBytes } from "./files.ts";

export const contractCommand: Command = {
  summary: "check, compare and use capability contracts",
  help: `
Usage: flow-host contract check FILE
       flow-host contract digest FILE
       flow-host contract diff FILE FILE
       flow-host contract validate FILE --method METHOD (--input | --output | --error NAME) VALUE
       flow-host contract package DIR

  check     read a descriptor whole; every independent fault is reported with its place
  digest    print its Capability Contract/1 digest
  diff      print what parts two descriptors, and whether the second needs another version (status 1 then)
  validate  judge a value by a method's schema, and print the units of work it took; with --input X, X is the value
  package   read FLOW.md of a package and the descriptors its slots name

  FILE and VALUE may be - for standard input; a VALUE of @FILE is read from a file
  --json    print results and errors as JSON
`,
  options: {
    method: { type: "string" },
    input: { type: "string" },
    output: { type: "string" },
    error: { type: "string" },
  },
  async run(words, io) {
    const [action, ...files] = words.positionals;
    const run = action !== undefined && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (run === undefined) throw misuse("name one of check, digest, diff, validate and package");
    try {
      return await run(files, words, io);
    } catch (caught) {
      if (!isFlowError(caught) || caught.errors.length < 2 || words.values["json"] === true) throw caught;
      for (const error of caught.errors) io.err(`${errorLine(error)}\n`);
      return REFUSED;
    }
  },
};

type Action = (files: readonly string[], words: Words, io: Io) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async check([path, ...rest], { values }, io) {
    const { id, version, digest, methods } = await contractIn(path, rest, io);
    const names = Object.keys(methods);
    io.out(
      values["json"] === true
        ? `${JSON.stringify({ id, version, digest, methods: names })}\n`
        : `${id} ${version}\n${digest}\nmethods: ${names.join(", ")}\n`,
    );
    return OK;
  },

  async digest([path, ...rest], _, io) {
    io.out(`${(await contractIn(path, rest, io)).digest}\n`);
    return OK;
  },

  async diff([first, second, ...rest], { values }, io) {
    const [a, b] = [await contractIn(first, [], io), await contractIn(second, rest, io)];
    const { changes, relation } = diffContracts(a, b);
    if (values["json"] === true) io.out(`${JSON.stringify({ relation, changes })}\n`);
    else {
      for (const { at, before, after } of changes) {
        if (before !== undefined) io.out(`- ${at}: ${canonicalJson1(before)}\n`);
        if (after !== undefined) io.out(`+ ${at}: ${canonicalJson1(after)}\n`);
      }
      io.out(`${SENTENCES[relation]}\n`);
    }
    return relation === "conflict" ? REFUSED : OK;
  },

  async validate([path, ...rest], { values }, io) {
    const contract = await contractIn(path, [], io);
    const { schema, word, code } = schemaOf(contract, values, rest);
    const text = word === "-" ? await io.readInput() : word.startsWith("@") ? await readBytes(word.slice(1), io) : word;
    const { valid, units, diagnostics } = schema.validate(readJson1(text), { code });
    if (values["json"] === true) io.out(`${JSON.stringify({ valid, units, diagnostics })}\n`);
    else {
      for (const { instance, schema: place, keyword, message } of diagnostics)
        io.err(`${message} at ${instance === "" ? "the root" : instance} (${keyword} of ${place}) [${code}]\n`);
      io.out(`${valid ? "valid" : "not valid"}, ${units} unit${units === 1 ? "" : "s"} of work\n`);
    }
    return valid ? OK : REFUSED;
  },

  async package([directory, ...rest], { values }, io) {
    if (directory === undefined || rest.length > 0) throw misuse("name the folder of one package");
    const { name, description, uses } = await readPackage(await readPackageDirectory(placed(directory, io)));
    const slots = Object.entries(uses).map(
      ([slot, { contract }]) => [slot, contract === undefined ? { local: true } : tripleOf(contract)] as const,
    );
    if (values["json"] === true) io.out(`${JSON.stringify({ name, description, uses: Object.fromEntries(slots) })}\n`);
    else {
      io.out(`${name}: ${description}\n`);
      for (const [slot, use] of slots) io.out(`  ${slot}: ${"local" in use ? "local" : `${use.id} ${use.version} ${use.digest}`}\n`);
    }
    return OK;
  },
};

const SENTENCES = {
  equal: "equal: one interface, one digest",
  "other-contract": "two contracts: their ids differ",
  "other-version": "two versions of one contract; neither satisfies a request for the other",
  conflict: "conflict: one id and version, two digests; any change of a descriptor needs a new version",
} as const;

async function contractIn(path: string | undefined, rest: readonly string[], io: Io): Promise<Contract> {
  if (path === undefined || rest.length > 0) throw misuse("name the file of a descriptor");
  return readContract(await readBytes(path, io));
}

/** The schema that the words of `validate` mean, with the value they give it. */
function schemaOf(
  { methods }: Contract,
  values: Words["values"],
  rest: readonly string[],
): { schema: CompiledSchema; word: string; code: "INVALID_INPUT" | "INVALID_RESULT" } {
  const { method: name, input, output, error } = values as Readonly<Record<string, string | undefined>>;
  const method = name === undefined || !Object.hasOwn(methods, name) ? undefined : methods[name];
  if (method === undefined) throw misuse(`name a --method: ${Object.keys(methods).join(", ")}`);
  if ([input, output, error].filter((word) => word !== undefined).length !== 1)
    throw misuse("give one of --input VALUE, --output VALUE and --error NAME VALUE");
  if (error !== undefined) {
    const schema = Object.hasOwn(method.errors, error) ? method.errors[error] : undefined;
    const [word, ...more] = rest;
    if (schema === undefined) throw misuse(`${name} has no error ${error}; it has: ${Object.keys(method.errors).join(", ")}`);
    if (word === undefined || more.length > 0) throw misuse("give one value behind --error NAME");
    return { schema, word, code: "INVALID_RESULT" };
  }
  if (rest.length > 0) throw misuse("give the value behind --input or --output alone");
  return input !== undefined
    ? { schema: method.input, word: input, code: "INVALID_INPUT" }
    : { schema: method.output, word: output as string, code: "INVALID_RESULT" };
}

function tripleOf({ id, version, digest }: Contract): { id: string; version: string; digest: string } {
  return { id, version, digest };
}

function errorLine(error: FlowError): string {
  const { code, message, at } = errorJson(error);
  return `${String(message)}${String(message).includes(String(at)) ? "" : ` at ${String(at)}`} [${String(code)}]`;
}
