/** The agent port: TLS with client certificates, four calls, and no byte of HTTP for a certificate that is not ours. */
export type { Wakes } from "./control.ts";
export { type AgentDirectory, type AgentIdentity, type AgentRecord, identify } from "./directory.ts";
export { type AgentListener, startAgentListener } from "./listener.ts";
export type { AgentHandlers } from "./routes.ts";
