/** The playground. Each view but the first is loaded when it is first opened. */
import { keepOffline } from "./page/offline.ts";
import { ProgramView } from "./page/program/view.ts";
import { startShell } from "./page/shell.ts";

await startShell([
  { id: "program", title: "Program", create: async (context) => new ProgramView(context) },
  { id: "values", title: "Values", create: async (context) => new (await import("./page/values/view.ts")).ValuesView(context) },
  { id: "types", title: "Types", create: async (context) => new (await import("./page/types/view.ts")).TypesView(context) },
  { id: "contracts", title: "Contracts", create: async (context) => new (await import("./page/contracts/view.ts")).ContractsView(context) },
]);
keepOffline();
