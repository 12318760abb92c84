/** Schema/1 at its surface: compiling a schema file, and validating values against a compiled schema. */
import { FlowError } from "../../json/errors.ts";
import { exceedsUtf8 } from "../../json/text.ts";
import { Faults, type RejectionCode } from "../codes.ts";
import { readJson1 } from "../json1.ts";
import type { Json1Value } from "../model.ts";
import { explain, explainRefusal, type Reason } from "./explain.ts";
import { type Evaluate, FAST_HEIGHT, FastCompiler } from "./fast.ts";
import { Meter, PAST_BUDGET } from "./meter.ts";
import { Place, type SchemaNode } from "./node.ts";
import { SCHEMA_LIMITS, SchemaReader } from "./read.ts";

/** The units of work that one validation may take (*The work meter*). */
export const WORK_BUDGET = 1_000_000;

/** Diagnostics told for one value, where the caller asks for no other number. */
const MOST_DIAGNOSTICS = 32;

/** Why a value is rejected: what was rejected, where, by which keyword. */
export interface Diagnostic extends Reason {
  /** `INVALID_INPUT` unless another was asked for. */
  readonly code: RejectionCode;
}

/** How a value is validated. */
export interface ValidationOptions {
  /** The code of the diagnostics, by the side that the value came from; `INVALID_INPUT` where absent. */
  readonly code?: RejectionCode;
  /** Units of work; {@link WORK_BUDGET} where absent, and at most. */
  readonly budget?: number;
  /** The most diagnostics to make: 32 where absent; with 0 the verdict stands alone and comes sooner. */
  readonly diagnostics?: number;
}

/** The result of one validation. */
export interface Validation {
  /** Whether the value fits. */
  readonly valid: boolean;
  /** The work meter's count: the same in every implementation for the same schema and value. */
  readonly units: number;
  /** Empty for a valid value. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A Schema/1 schema that has been checked and compiled. */
export interface CompiledSchema {
  /** The JSON Pointer of the schema in its document: empty for a schema file. */
  readonly pointer: string;
  /**
   * Judges a JSON/1 value, as `readJson1` and `admitJson1` give it. Nothing is coerced, filled in, removed or fetched.
   * @throws FlowError `SCHEMA_LIMIT_EXCEEDED` past the budget, whatever the verdict would have been; `usage` for a
   *   budget that is no whole number of 1 to 1,000,000.
   */
  validate(value: Json1Value, options?: ValidationOptions): Validation;
}

/**
 * Compiles the text of a Schema/1 schema file.
 * @throws FlowError one of the compile codes, with its pointer; several independent faults stand in its `errors`.
 */
export function compileSchema(source: string | Uint8Array): CompiledSchema {
  const { bytes } = SCHEMA_LIMITS;
  if (typeof source === "string" ? exceedsUtf8(source, bytes) : source.byteLength > bytes) {
    throw new FlowError("SCHEMA_LIMIT_EXCEEDED", `expected a schema of at most ${bytes} bytes`);
  }
  return compileSchemaValue(schemaJson(source));
}

function schemaJson(source: string | Uint8Array): Json1Value {
  try {
    return readJson1(source);
  } catch (caught) {
    if (!(caught instanceof FlowError)) throw caught;
    const { at, offset } = caught;
    throw new FlowError(
      "SCHEMA_INVALID_JSON",
      caught.message,
      offset === undefined ? { at, cause: caught } : { at, offset, cause: caught },
    );
  }
}

/**
 * Compiles a Schema/1 schema file that has been read as JSON/1 already.
 * @throws FlowError as {@link compileSchema} does.
 */
export function compileSchemaValue(schema: Json1Value): CompiledSchema {
  const faults = new Faults();
  const reader = new SchemaReader(faults);
  const root = reader.file(schema);
  if (root !== undefined) reader.finish([root]);
  faults.settle();
  return new Schema(root as SchemaNode, new FastCompiler());
}

/** A compiled schema of a graph whose faults are settled. The compiler is shared by the schemas of one graph. */
export class Schema implements CompiledSchema {
  // Native private fields: a frozen schema can still keep its closures.
  readonly #root: SchemaNode;
  readonly #compiler: FastCompiler;
  #evaluate: Evaluate | undefined;

  constructor(root: SchemaNode, compiler: FastCompiler) {
    this.#root = root;
    this.#compiler = compiler;
  }

  get pointer(): string {
    return this.#root.pointer;
  }

  validate(value: Json1Value, options: ValidationOptions = {}): Validation {
    const { code = "INVALID_INPUT", budget = WORK_BUDGET, diagnostics = MOST_DIAGNOSTICS } = options;
    if (!Number.isInteger(budget) || budget < 1 || budget > WORK_BUDGET) {
      throw new FlowError("usage", `expected a budget of 1 to ${WORK_BUDGET} units, met ${budget}`);
    }
    const meter = new Meter(budget);
    try {
      if (this.#root.height <= FAST_HEIGHT) {
        if (this.#fast(value, meter)) return { valid: true, units: meter.units, diagnostics: NONE };
        const { units } = meter;
        const reasons = diagnostics <= 0 ? NONE : explainRefusal(this.#root, value, this.#compiler, units, diagnostics);
        return { valid: false, units, diagnostics: reasons.map((reason) => ({ code, ...reason })) };
      }
      const explaining = new Meter(budget);
      const { valid, reasons } = explain(this.#root, value, explaining, diagnostics);
      return { valid, units: explaining.units, diagnostics: reasons.map((reason) => ({ code, ...reason })) };
    } catch (caught) {
      if (caught !== PAST_BUDGET) throw caught;
      throw new FlowError("SCHEMA_LIMIT_EXCEEDED", `expected a validation of at most ${budget} units of work`);
    }
  }

  #fast(value: Json1Value, meter: Meter): boolean {
    // Closures are made at the first validation: a descriptor may hold hundreds of schemas of which one is used.
    this.#evaluate ??= this.#compiler.compile(this.#root);
    const valid = this.#evaluate(value, meter, this.#root.placed ? new Place<boolean>() : undefined);
    // What the last keyword added has not been compared yet.
    if (meter.units > meter.budget) throw PAST_BUDGET;
    return valid;
  }
}

const NONE: readonly Diagnostic[] = Object.freeze([]);
