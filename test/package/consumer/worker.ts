/** For workerd. */
import { use } from "./use.ts";

export default {
  async fetch(_request: Request): Promise<Response> {
    return Response.json(await use());
  },
};
