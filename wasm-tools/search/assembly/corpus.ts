/**
 * What is searched: short notes on Flow's own terms. Three arrays of literals instead of objects, since these lie in
 * the module's data and nothing has to be built when an instance starts. The same index is the same document.
 */

export const IDS: StaticArray<string> = ["tool", "fingerprint", "outcome", "canonical", "number", "run", "opaque", "component"];

export const TITLES: StaticArray<string> = [
  "Tools are declarations",
  "Fingerprints",
  "The four outcomes of a call",
  "Canonical text",
  "Numbers are exact",
  "Runs and history",
  "Opaque types",
  "Tools as components",
];

export const BODIES: StaticArray<string> = [
  "A program declares a Tool by its name, its parameters and its result: `@tool pub flow find(query: Text) -> Result<List<Document>, SearchError>`. Which code answers is bound by the host, before the run starts.",
  "The SHA-256 hash of a declaration's signature. A binding fits when both sides have the same one. It moves when a type changes its shape; a doc comment, the layout of the file or a new version leave it where it is.",
  "A Tool answers Ok with a value, Failed with a declared error, NotRun if the call definitely did not happen, or Unknown if it may have. A reply that does not decode is none of these: the host calls it a BadReply.",
  'Each value has one JSON text: no spaces, members in code-point order, and no escapes but \\", \\\\ and those of control characters. Equal values have equal texts, so a hash of the text is a hash of the value.',
  "An Int has any number of digits and a Decimal is never rounded to binary: 0.1 + 0.2 is 0.3. A number keeps its value across the boundary, whether it is written 3.0, 3e2 or with the digits of π.",
  "A run is one execution of a program. Its history keeps each call before it is sent and each outcome before the program sees it, so a run that was interrupted resumes where it was: a crash, a restart, « à demain ».",
  "A value of an opaque type is minted by its own module after a check, and by nothing else. No decoder can build one, so no Tool's reply can forge an approval 🔏.",
  "A WebAssembly component that exports flow:tool answers calls in a sandbox: the same few kilobytes in a page, at the edge and on a server, with no import it was not given.",
];
