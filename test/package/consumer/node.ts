/** For runtimes that have Node's built-ins. */
import { splitWords } from "flow-host/node";
import { use } from "./use.ts";

console.log(JSON.stringify({ ...(await use()), words: splitWords("serve 'a shop'").join("|") }));
