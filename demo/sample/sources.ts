/** The sample's Flow files, as the page shows and reads them. */
import type { ProgramSource } from "flow-host/declarations";
import catalog from "../flow/docs/catalog.flow" with { type: "text" };
import document from "../flow/docs/document.flow" with { type: "text" };
import search from "../flow/docs/search.flow" with { type: "text" };
import ledger from "../flow/local/ledger.flow" with { type: "text" };

export const SAMPLE_SOURCE: ProgramSource = {
  repositories: [
    {
      repository: "github.com/acme/docs",
      version: "1.0.0",
      files: { "catalog.flow": catalog, "document.flow": document, "search.flow": search },
    },
  ],
  local: { files: { "ledger.flow": ledger } },
};
