/** An edge worker that serves a toolset. */
import { serveFetch } from "../../src/toolkit/serve/fetch.ts";
import { contractTools } from "./tools.ts";
import { handMade } from "./toolset.ts";

let handler: ReturnType<typeof serveFetch> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    handler ??= serveFetch(handMade(await contractTools()));
    return handler(request);
  },
};
