/** The playground. Each view but the first is loaded when it is first opened. */
import { programView } from "./page/program-view.ts";
import { startShell } from "./page/shell.ts";

await startShell([
  programView,
  { id: "values", title: "Values", create: async (context) => new (await import("./page/values/view.ts")).ValuesView(context) },
]);
