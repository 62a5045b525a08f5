/** The calls of a node to its panel: TLS with a certificate on one connection, and a pin on the first call. */
export { type AgentClient, type AgentTrust, type ClientOptions, createAgentClient } from "./client.ts";
export type { ClientCredential } from "./connection.ts";
export { type AgentEndpoint, agentUrl, parseAgentUrl } from "./endpoint.ts";
export { AgentCallError, judgeFailure, type Standpoint, type Verdict } from "./failures.ts";
export { fetchPinnedRoot } from "./pinned-root.ts";
export type { ServedStream, ServeStream, StreamServices } from "./serve-streams.ts";
