/** For pages: leaves what came of it where a driver of the browser finds it. */
import { use } from "./use.ts";

use().then(
  (used) => Object.assign(globalThis, { outcome: JSON.stringify(used) }),
  (error: unknown) => Object.assign(globalThis, { outcome: String(error) }),
);
