/** Opens a store, says so, and waits to be killed. */
import { FileStore } from "../../src/node/filestore.ts";

const log = await new FileStore(process.argv[2] as string).open();
await log.append("held\n");
process.stdout.write("held\n");
setInterval(() => {}, 1000);
