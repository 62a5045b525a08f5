import { constants } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import type { Ids } from "../../../lib/ids.ts";
import { serialOf } from "../../../shared/agent-protocol/index.ts";
import { type Authority, SERVER_RENEWAL_MS } from "../pki/index.ts";
import { createConnections } from "./connections.ts";
import type { AgentDirectory, PresentedCertificate } from "./directory.ts";
import { createHandshakes, HANDSHAKE_MS } from "./handshakes.ts";
import { createHeartbeatLimits } from "./heartbeat-limits.ts";
import { createReadingBudget } from "./reading-budget.ts";
import { type AgentHandlers, agentRoutes, heartbeatCall } from "./routes.ts";
import type { NodeStream, StreamRequest, StreamState } from "./session-streams.ts";
import { createStreamBudget } from "./stream-budget.ts";

/** What nodes are called for. */
export interface Wakes {
  /** Told when something begins to wait for a node. Returns how to stop that. */
  onQueued(listener: (nodeId: string) => void): () => void;
}

export interface AgentListenerDeps {
  authority: Authority;
  directory: AgentDirectory;
  handlers: AgentHandlers;
  wakes: Wakes;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Where to listen and under which names and addresses nodes reach it. */
export interface AgentListenerOptions {
  hostname: string;
  port: number;
  names: readonly string[];
  /** Calls a second without a certificate that one address may make. */
  strangersPerSecond?: number;
}

/** What people see of a node at this moment comes over the session that it holds. */
export interface NodeStreams {
  /** Whether a workspace can have a stream of a service of its node. */
  streamState(nodeId: string, tenantId: string, service: string): StreamState;
  /** Opens a stream; null when that state is not `ready`. */
  openStream(nodeId: string, tenantId: string, request: StreamRequest): NodeStream | null;
}

/** The agent port. */
export interface AgentListener extends NodeStreams {
  port: number;
  /** Takes up what the authority trusts and issues now, for every connection from here on. */
  refresh(): void;
  /** Open connections. */
  count(): number;
  /** Whether a node has a session at this moment. */
  hasSession(nodeId: string): boolean;
  stop(): Promise<void>;
}

const TICK_MS = seconds(1);
/** A household of nodes behind one address enrols in a second or two. */
const STRANGER_CALLS_PER_SECOND = 20;

/**
 * Listens with TLS for both sides. The web server of the runtime does not show a handler the client's certificate, so
 * TLS sockets are opened here. Their requests are read here, too: the runtime's HTTP over such sockets takes twice the
 * memory and time, and there are tens of thousands of them.
 */
export async function startAgentListener(
  { authority, directory, handlers, wakes, clock, ids, log }: AgentListenerDeps,
  { hostname, port, names, strangersPerSecond = STRANGER_CALLS_PER_SECOND }: AgentListenerOptions,
): Promise<AgentListener> {
  const connections = createConnections({
    routes: agentRoutes(handlers),
    heartbeat: heartbeatCall(handlers),
    strangers: createBucketLimiter(clock, strangersPerSecond, strangersPerSecond),
    limits: createHeartbeatLimits(clock, directory.count),
    budget: createReadingBudget(clock, directory.count),
    streamBudget: createStreamBudget(clock),
    ...{ directory, clock, ids, log },
  });

  const handshakes = createHandshakes(clock);
  let servedUntil = 0;
  const context = () => {
    const { key, chain, notAfter } = authority.issueServer(names);
    servedUntil = notAfter;
    return { key, cert: chain, ca: authority.trusted(), minVersion: "TLSv1.3" as const };
  };
  const tls = createTlsServer({
    ...context(),
    requestCert: true,
    // Here a refusal would come before we know whether there was a certificate at all.
    rejectUnauthorized: false,
    handshakeTimeout: HANDSHAKE_MS,
    // A resumed session would stand for a certificate that nobody presented.
    secureOptions: constants.SSL_OP_NO_TICKET,
  });
  tls.on("connection", handshakes.begin);
  tls.on("secureConnection", (socket) => {
    handshakes.end(socket);
    const presented = readPresented(socket);
    // Before any byte of HTTP: expired, foreign, or made for another purpose.
    if (presented === "refused") socket.destroy();
    else connections.add(socket, presented);
  });
  tls.on("tlsClientError", (_, socket) => socket.destroy());

  const refresh = () => tls.setSecureContext(context());
  const stops = [
    wakes.onQueued((nodeId) => connections.wake(nodeId)),
    directory.onRevoked((nodeId) => connections.revoke(nodeId)),
    clock.every(TICK_MS, () => connections.tick()),
    clock.every(hours(1), () => {
      if (servedUntil - clock.now() < SERVER_RENEWAL_MS) refresh();
    }),
  ];
  await new Promise<void>((resolve, reject) => {
    tls.once("error", reject);
    tls.listen(port, hostname, resolve);
  });
  return {
    port: portOf(tls.address()),
    refresh,
    count: () => connections.count(),
    hasSession: (nodeId) => connections.hasSession(nodeId),
    streamState: connections.streamState,
    openStream: connections.openStream,
    async stop() {
      for (const stop of stops) stop();
      const closed = new Promise<void>((resolve) => tls.close(() => resolve()));
      connections.closeAll();
      await closed;
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== "object" || address === null) throw new Error("the agent port is no network port");
  return address.port;
}

/** What the certificate says, null without one, "refused" when TLS did not verify it. */
function readPresented(socket: TLSSocket): PresentedCertificate | null | "refused" {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return null;
  const nodeId = /^CN=(.+)$/m.exec(certificate.subject)?.[1];
  if (!socket.authorized || nodeId === undefined) return "refused";
  return { nodeId, serial: serialOf(certificate), notAfter: certificate.validToDate.getTime() };
}
