/** A Node server around a handler of Requests, as a test needs it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveHttp(handler: (request: Request) => Promise<Response>): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", async () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      const { method = "GET", url = "/" } = incoming;
      const body = method === "POST" ? { body: Buffer.concat(pieces) } : {};
      const request = new Request(`http://${incoming.headers.host}${url}`, { method, headers, signal: gone.signal, ...body });
      const response = await handler(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
