/**
 * Reading a package (*Package declarations and loading*): the fields of `FLOW.md`, and for each slot that names a
 * contract the descriptor that the package itself carries. All of it is read from the files given and judged before
 * any code loads; the identity URI of a contract is never fetched.
 */
import { type FlowError, isFlowError } from "../../json/errors.ts";
import { childPointer } from "../../json/pointer.ts";
import { Faults, type PackageCode } from "../codes.ts";
import { type Contract, readContract } from "../descriptor.ts";
import { isLocalName } from "../identity.ts";
import { bareObject, freezeJson1, isObject, type Json1Object, type Json1Value } from "../model.ts";
import type { SlotUse } from "../providers.ts";
import { scalarLength } from "../schema1/cost.ts";
import { describeValue } from "../schema1/describe.ts";
import { readFlowMarkdown } from "./frontmatter.ts";
import { readReference } from "./path.ts";

/** The files of a package: logical path, without `./`, to bytes. Directories and links are no files. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** A package whose `FLOW.md` and descriptors have been read. Frozen. */
export interface FlowPackage {
  /** The package's name. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** `instruction` where its Markdown may be followed in place of code. */
  readonly fallback: "instruction" | undefined;
  /** The slots by name. Nothing is inherited: every name is just a name. */
  readonly uses: Readonly<Record<string, SlotUse>>;
  /** The whole frontmatter as a JSON/1 value, `outcomes`, `attachments` and extensions as they stand there. */
  readonly frontmatter: Json1Object;
  /** The Markdown behind the frontmatter. */
  readonly body: string;
}

const FIELDS: readonly string[] = ["name", "description", "fallback", "uses", "outcomes", "attachments"];
const DESCRIPTION_LENGTH = 16_384;

/**
 * Reads a package.
 * @throws FlowError a package code, with its pointer into the frontmatter; where several independent faults were found,
 *   the first with all of them as its `errors`. A fault of a descriptor is its `cause`.
 */
export async function readPackage(files: PackageFiles): Promise<FlowPackage> {
  const faults = new Faults();
  const source = files.get("FLOW.md");
  if (source === undefined) {
    add(faults, "PACKAGE_FILE_MISSING", 'expected a file "FLOW.md" at the root of the package', "");
    throw faults.toFlowError();
  }
  const { frontmatter, body } = readFlowMarkdown(source);
  if (!isObject(frontmatter)) {
    add(faults, "PACKAGE_FIELD_INVALID", `expected a map of fields, met ${describeValue(frontmatter)}`, "");
    throw faults.toFlowError();
  }
  judgeFields(frontmatter, faults);
  const uses = await new Slots(files, faults).read(frontmatter["uses"]);
  faults.settle();
  freezeJson1(frontmatter);
  const { name, description, fallback } = frontmatter as unknown as FlowPackage;
  return Object.freeze({ name, description, fallback, uses, frontmatter, body });
}

function add(faults: Faults, code: PackageCode, message: string, at: string, cause?: FlowError): void {
  faults.add(code, message, at, cause);
}

function judgeFields(fields: Json1Object, faults: Faults): void {
  for (const field of Object.keys(fields)) {
    if (FIELDS.includes(field) || (field.startsWith("x-") && isLocalName(field.slice(2)))) continue;
    add(
      faults,
      "PACKAGE_FIELD_INVALID",
      `there is no field ${JSON.stringify(field)}; extensions are named x-<LocalName>`,
      childPointer("", field),
    );
  }
  const { name, description, fallback } = fields;
  if (!isLocalName(name)) {
    const expected = "expected a name of 1 to 64 characters, lower-case letters and digits joined by single hyphens";
    add(faults, "PACKAGE_FIELD_INVALID", `${expected}, met ${describeValue(name)}`, "/name");
  }
  if (typeof description !== "string" || description === "" || scalarLength(description) > DESCRIPTION_LENGTH) {
    add(faults, "PACKAGE_FIELD_INVALID", `expected a description of 1 to ${DESCRIPTION_LENGTH} characters`, "/description");
  }
  if (fallback !== undefined && fallback !== "instruction") {
    add(faults, "PACKAGE_FIELD_INVALID", `expected "instruction", met ${describeValue(fallback)}`, "/fallback");
  }
}

class Slots {
  private readonly files: PackageFiles;
  private readonly faults: Faults;
  /** Descriptors that were read already, by path: two slots may name one. */
  private readonly contracts = new Map<string, Promise<Contract>>();

  constructor(files: PackageFiles, faults: Faults) {
    this.files = files;
    this.faults = faults;
  }

  async read(uses: Json1Value | undefined): Promise<Readonly<Record<string, SlotUse>>> {
    const slots = bareObject() as unknown as Record<string, SlotUse>;
    if (uses !== undefined && !isObject(uses)) {
      add(this.faults, "PACKAGE_FIELD_INVALID", `expected a map of slots, met ${describeValue(uses)}`, "/uses");
    }
    for (const [name, use] of Object.entries(isObject(uses) ? uses : {})) {
      const at = childPointer("/uses", name);
      if (!isLocalName(name)) {
        const expected = "expected a slot name of 1 to 64 characters, lower-case letters and digits joined by single hyphens";
        add(this.faults, "PACKAGE_SLOT_INVALID", `${expected}, met ${describeValue(name)}`, at);
      }
      const slot = await this.slot(use, at);
      if (slot !== undefined) slots[name] = Object.freeze(slot);
    }
    return Object.freeze(slots);
  }

  /** A slot is exactly `contract: ./path` or exactly `local: true`. */
  private async slot(use: Json1Value, at: string): Promise<SlotUse | undefined> {
    const names = isObject(use) ? Object.keys(use).join() : "";
    if (names === "local" && (use as Json1Object)["local"] === true) return { local: true };
    const reference = names === "contract" ? (use as Json1Object)["contract"] : undefined;
    if (typeof reference !== "string") {
      add(this.faults, "PACKAGE_SLOT_INVALID", 'expected exactly "contract: ./path" or exactly "local: true"', at);
      return undefined;
    }
    return this.contract(reference, `${at}/contract`);
  }

  private async contract(reference: string, at: string): Promise<SlotUse | undefined> {
    const read = readReference(reference);
    if ("expected" in read) {
      add(this.faults, "PACKAGE_PATH_INVALID", `expected ${read.expected}, met ${describeValue(reference)}`, at);
      return undefined;
    }
    const bytes = this.files.get(read.path);
    if (bytes === undefined) {
      add(this.faults, "PACKAGE_FILE_MISSING", `the package has no file ${JSON.stringify(read.path)}`, at);
      return undefined;
    }
    try {
      let contract = this.contracts.get(read.path);
      if (contract === undefined) {
        contract = readContract(bytes);
        this.contracts.set(read.path, contract);
      }
      return { contract: await contract };
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      add(this.faults, "PACKAGE_DESCRIPTOR_INVALID", `${JSON.stringify(read.path)} is no descriptor: ${caught.message}`, at, caught);
      return undefined;
    }
  }
}
