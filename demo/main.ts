/** The playground. Each view but the first is loaded when it is first opened. */
import { ProgramView } from "./page/program/view.ts";
import { startShell } from "./page/shell.ts";

await startShell([
  { id: "program", title: "Program", create: async (context) => new ProgramView(context) },
  { id: "values", title: "Values", create: async (context) => new (await import("./page/values/view.ts")).ValuesView(context) },
]);
