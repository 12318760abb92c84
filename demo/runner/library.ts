/** `flow-host` for modules written in the page: the same bundle that the page itself has. */
export * from "flow-host";
