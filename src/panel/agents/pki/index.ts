/** The panel's own certificate authority: checks requests, issues certificates for nodes and the agent port, changes its roots. */
export { type Authority, type IssuedClient, openAuthority } from "./authority.ts";
export { type CaNeeds, createCaCommand } from "./ca-command.ts";
export { SERVER_RENEWAL_MS } from "./lifetimes.ts";
export { parseCsr } from "./parse-csr.ts";
export type { AuthorityStore } from "./record.ts";
