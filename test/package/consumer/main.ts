/** For runtimes that print. */
import { use } from "./use.ts";

console.log(JSON.stringify(await use()));
