/**
 * `npm run bench -- [suite…] [--quick] [--markdown] [--kinds=records,tree] [--sizes="1 KB,160 KB"]`
 *
 * Runs the named suites of this directory (all of them without a name) against the built library, `dist/flow-host.js`,
 * and prints one table. What a suite is stands in `measure.mjs`.
 */
import { readdir } from "node:fs/promises";
import { cpus } from "node:os";
import { KIND_NAMES, SIZES } from "./documents.mjs";
import { EFFORT, measureGroup } from "./measure.mjs";

const BUNDLE = new URL("../../dist/flow-host.js", import.meta.url);
const SUITE = /^(.*)\.bench\.mjs$/;

const { names, quick, markdown, kinds, sizes } = readArguments(process.argv.slice(2));
const flow = await import(BUNDLE.href).catch((error) => stop(`${error.message}\nThe benchmarks measure what is built: npm run build`));
const available = (await readdir(new URL(".", import.meta.url))).flatMap((file) => SUITE.exec(file)?.[1] ?? []).sort();
for (const name of names) if (!available.includes(name)) stop(`There is no suite named ${name}; there are ${available.join(", ")}.`);

console.log(`${cpus()[0]?.model.trim()} (${cpus().length} processors), Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
for (const name of names.length > 0 ? names : available) {
  const suite = (await import(new URL(`${name}.bench.mjs`, import.meta.url).href)).default;
  console.log(`\n${markdown ? "### " : ""}${suite.title}\n\n${suite.about}`);
  for await (const group of suite.groups({ flow, kinds, sizes })) {
    const rows = await measureGroup(group, quick ? EFFORT.quick : EFFORT.normal, suite.clock);
    printGroup(group, rows);
  }
}

function printGroup({ title, bytes }, rows) {
  const speed = bytes !== undefined && rows.every(({ unit }) => unit === "ms");
  const lines = rows.map(({ name, note, amount, unit, ratio }) => {
    const cells = [note === undefined ? name : `${name} (${note})`, shown(amount, unit), `${ratio.toFixed(2)}×`];
    return speed ? [...cells, `${(bytes / 1e3 / amount).toFixed(0)} MB/s`] : cells;
  });
  const head = [title, "", "ratio", ...(speed ? ["speed"] : [])];
  const widths = head.map((cell, column) => Math.max(cell.length, ...lines.map((line) => line[column].length)));
  const line = (cells) => {
    const padded = cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])));
    return markdown ? `| ${padded.join(" | ")} |` : `  ${padded.join("  ")}`;
  };
  console.log(`\n${line(head)}`);
  if (markdown) console.log(line(widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))));
  for (const cells of lines) console.log(line(cells));
}

/** An amount with its unit, three digits of it. */
function shown(amount, unit) {
  if (unit !== "ms") return `${amount.toPrecision(3)} ${unit}`;
  if (amount >= 1) return `${amount.toPrecision(3)} ms`;
  return amount >= 0.001 ? `${(amount * 1e3).toPrecision(3)} µs` : `${(amount * 1e6).toPrecision(3)} ns`;
}

function readArguments(words) {
  const options = Object.fromEntries(
    words.flatMap((word) => [/^--(kinds|sizes)=(.*)$/.exec(word)?.slice(1) ?? []]).filter(({ length }) => length > 0),
  );
  const listed = (option, known) => {
    const chosen = options[option]?.split(",") ?? known;
    for (const name of chosen) if (!known.includes(name)) stop(`--${option}: there is no ${name}, only ${known.join(", ")}.`);
    return chosen;
  };
  for (const word of words)
    if (word.startsWith("--") && !/^--(quick|markdown|kinds=.*|sizes=.*)$/.test(word)) stop(`There is no option ${word}.`);
  return {
    names: words.filter((word) => !word.startsWith("--")),
    quick: words.includes("--quick"),
    markdown: words.includes("--markdown"),
    kinds: listed("kinds", KIND_NAMES),
    sizes: listed("sizes", Object.keys(SIZES)),
  };
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
