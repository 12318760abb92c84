/** An MCP server of the contract test, made with the SDK. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const posting = z.object({ account: z.any(), amount: z.any(), note: z.string().optional() });
const server = new McpServer({ name: "contract", version: "1.0.0" });
let release = () => {};

server.registerTool("act", { inputSchema: { order: z.string(), posting } }, async ({ order, posting }, { signal }) => {
  const ok = { content: [], structuredContent: posting };
  const failed = (reason: string) => ({ content: [{ type: "text" as const, text: JSON.stringify(reason) }], isError: true });
  switch (order) {
    case "ok":
      return ok;
    case "failed":
      return failed("no");
    case "bad value":
      return { content: [], structuredContent: { account: 1.5, amount: 1 } };
    case "bad error":
      return { content: [{ type: "text" as const, text: "7" }], isError: true };
    case "throw":
      throw new Error("the code broke off");
    case "until stopped":
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return failed("stopped");
    case "hold":
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return ok;
    case "release":
      release();
      return ok;
    default:
      return new Promise(() => {});
  }
});

await server.connect(new StdioServerTransport());
