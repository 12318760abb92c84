/**
 * `node test/support/python.mjs PROGRAM [ARGS…]`: runs a program in Python where no Python is installed, by CPython as it is built for
 * WebAssembly (pyodide). It sees the project and the directory of temporary files, under the paths that they have here.
 */
import { readSync, realpathSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const [program, ...args] = process.argv.slice(2);

/** Reads what there is, and waits for more where the pipe is empty for now. */
function readInput(buffer) {
  for (;;) {
    try {
      return readSync(0, buffer, 0, buffer.length, null);
    } catch (caught) {
      if (caught.code === "EOF") return 0;
      if (caught.code !== "EAGAIN") throw caught;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const writeTo = (descriptor) => ({ write: (bytes) => writeSync(descriptor, bytes), isatty: false });

const python = await loadPyodide({ args: [program, ...args] });
python.setStdin({ read: readInput, isatty: false });
python.setStdout(writeTo(1));
python.setStderr(writeTo(2));
const temporary = realpathSync(tmpdir());
for (const directory of ROOT.startsWith(`${temporary}/`) ? [temporary] : [temporary, ROOT]) {
  python.FS.mkdirTree(directory);
  python.mountNodeFS(directory, directory);
}
python.FS.chdir(process.cwd());
python.globals.set("program", resolve(program));
// What it throws is told here: thrown on, Node would print the line of minified source that it came through.
process.exitCode = python.runPython(`
import runpy, sys, traceback
status = 1
sys.argv[0] = program
try:
    runpy.run_path(program, run_name="__main__")
    status = 0
except SystemExit as end:
    status = end.code or 0
except BaseException:
    traceback.print_exc()
sys.stdout.flush()
sys.stderr.flush()
status
`);
