import { afterAll } from "vitest";
import { bindFetch } from "../../src/bindings/fetch.ts";
import { serveFetch } from "../../src/toolkit/serve/fetch.ts";
import { type Served, serveHttp } from "./http.ts";
import { handMade } from "./toolset.ts";
import { contractOf } from "./ways.ts";

contractOf({
  name: "fetch in memory",
  make: (tools) => {
    const handler = serveFetch(handMade(tools));
    return bindFetch((url, init) => handler(new Request(url, init)), "http://tools.example/");
  },
});

let served: Served | undefined;
afterAll(() => served?.close());

contractOf({
  name: "fetch over HTTP",
  make: async (tools) => {
    served = await serveHttp(serveFetch(handMade(tools)));
    return bindFetch(fetch, served.url);
  },
});
