/** The playground. */
import { programView } from "./page/program-view.ts";
import { startShell } from "./page/shell.ts";

await startShell([programView]);
