/** A static server for the built page, on 127.0.0.1 alone. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/**
 * Serves `demo/dist/`.
 * @param {{ port?: number, directory?: string }} [options] Port 0, the default, takes a free one.
 * @returns {Promise<{ address: string, close: () => Promise<void> }>}
 */
export async function serve({ port = 0, directory = fileURLToPath(new URL("./dist/", import.meta.url)) } = {}) {
  const server = createServer(async (request, response) => {
    const place = placeOf(directory, request.url ?? "/");
    const found = place === undefined ? undefined : await stat(place).catch(() => undefined);
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, "only GET and HEAD are answered");
    if (found === undefined || !found.isFile()) return answer(response, 404, "there is no such file");
    response.writeHead(200, {
      "content-type": TYPES[extname(place)] ?? "application/octet-stream",
      "content-length": found.size,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    if (request.method === "HEAD") return response.end();
    createReadStream(place)
      .on("error", () => response.destroy())
      .pipe(response);
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The file a request is for; undefined for one outside the directory. */
function placeOf(directory, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (path.includes("\0")) return undefined;
  const place = normalize(join(directory, path.endsWith("/") ? `${path}index.html` : path));
  return place.startsWith(directory) ? place : undefined;
}

function answer(response, status, text) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
