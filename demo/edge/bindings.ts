/** What answers for the sample's Tools at the edge: two components and a service behind `fetch`. */
import { type Binding, bindComponent, bindFetch, type Fetcher, type GetCoreModule, type Instantiate } from "flow-host";

/** A transpiled component, as one of the modules of `flow-host component build` exports it. */
export interface Component {
  readonly instantiate: Instantiate;
  readonly getCoreModule: GetCoreModule;
}

export interface EdgeParts {
  readonly search: Component;
  readonly ledger: Component;
  /** The service that reads documents, and where it is. */
  readonly catalog: Fetcher;
  readonly catalogUrl: string;
}

export function edgeBindings({ search, ledger, catalog, catalogUrl }: EdgeParts): ReadonlyMap<string, Binding> {
  const bound = ({ instantiate, getCoreModule }: Component) => bindComponent(instantiate, getCoreModule);
  return new Map([
    ["github.com/acme/docs@1.0.0/search.flow.find", bound(search)],
    ["ledger.flow.post", bound(ledger)],
    ["github.com/acme/docs@1.0.0/catalog.flow.read", bindFetch(catalog, catalogUrl, { title: "service" })],
  ]);
}
