/** The Worker behind the service binding. Nobody but other Workers reaches it. */
import { readTools, type ToolsDocument } from "flow-host";
import listed from "../../tools.json" with { type: "text" };
import { serveCatalog } from "../catalog.ts";

let tools: Promise<ToolsDocument> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    tools ??= readTools(listed);
    return serveCatalog(await tools, request);
  },
};
