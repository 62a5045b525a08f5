import { connect as connectTls, type TLSSocket } from "node:tls";
import { lookupForConnect } from "../../kernel/names/for-connect.ts";
import type { Clock } from "../../lib/clock.ts";
import { type AgentEndpoint, agentUrl, serverName } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";
import { socketFailure } from "./socket-failure.ts";

/** What a node shows: its certificate with the one that signed it, and the key, both PEM. */
export interface ClientCredential {
  certificate: string;
  key: string;
}

/** Whom a connection goes to, whom it trusts there and what it shows. */
export interface ConnectionOptions {
  endpoint: AgentEndpoint;
  /** Roots, PEM. Only they are trusted; the names in the panel's certificate are not looked at. */
  ca: string;
  credential: ClientCredential | null;
  /** For the handshake, milliseconds. */
  connectMs: number;
}

/**
 * Connects with TLS 1.3. The names in the panel's certificate do not count: the authority is the panel's own, it signs
 * one server, and a node's certificate cannot stand for a server. Throws `AgentCallError`.
 */
export function openSocket(clock: Pick<Clock, "after">, options: ConnectionOptions): Promise<TLSSocket> {
  const { endpoint, ca, credential, connectMs } = options;
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: endpoint.host,
      port: endpoint.port,
      lookup: lookupForConnect(),
      ca,
      ...(credential ? { cert: credential.certificate, key: credential.key } : {}),
      ...serverName(endpoint),
      minVersion: "TLSv1.3",
      checkServerIdentity: () => undefined,
    });
    const cancel = clock.after(connectMs, () => give(late(endpoint, "does not finish the handshake")));
    const give = (error: AgentCallError) => {
      cancel();
      socket.destroy();
      reject(error);
    };
    const onError = (error: unknown) => give(socketFailure(error, endpoint));
    const onClose = () => give(new AgentCallError("dropped", `${agentUrl(endpoint)} closed the connection at once.`));
    socket.once("error", onError);
    socket.once("close", onClose);
    socket.once("secureConnect", () => {
      cancel();
      socket.off("error", onError);
      socket.off("close", onClose);
      resolve(socket);
    });
  });
}

/** The panel takes longer than it may. */
export function late(endpoint: AgentEndpoint, what: string): AgentCallError {
  return new AgentCallError("unreachable", `The panel at ${agentUrl(endpoint)} ${what}.`);
}
