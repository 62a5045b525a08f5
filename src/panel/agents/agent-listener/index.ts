/** The agent port: TLS with client certificates, three calls and a session, and no byte of HTTP for a certificate that is not ours. */
export { type AgentDirectory, type AgentIdentity, type AgentRecord, identify } from "./directory.ts";
export { type AgentListener, type NodeStreams, startAgentListener } from "./listener.ts";
export type { AgentHandlers } from "./routes.ts";
export { type NodeStream, StreamEnded } from "./session-streams.ts";
