import { X509Certificate } from "node:crypto";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { lookupForConnect } from "../../kernel/names/for-connect.ts";
import type { Clock } from "../../lib/clock.ts";
import { findPinnedRoot } from "../agent-protocol/index.ts";
import { type AgentEndpoint, agentUrl, serverName } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";
import { socketFailure } from "./socket-failure.ts";

/** Longest chain that is looked at. */
const MAX_CHAIN = 8;

/**
 * The root (PEM) of the chain that an endpoint presents, when it carries `pin`. Says nothing to the other side: the
 * handshake only shows who is there, and every call after it trusts this root alone. Throws `AgentCallError`.
 */
export function fetchPinnedRoot(
  clock: Pick<Clock, "after">,
  endpoint: AgentEndpoint,
  pin: string,
  connectMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: endpoint.host,
      port: endpoint.port,
      lookup: lookupForConnect(),
      ...serverName(endpoint),
      minVersion: "TLSv1.3",
      rejectUnauthorized: false,
    });
    const place = agentUrl(endpoint);
    const finish = (run: () => void) => {
      cancel();
      socket.destroy();
      run();
    };
    const give = (error: AgentCallError) => finish(() => reject(error));
    const cancel = clock.after(connectMs, () =>
      give(new AgentCallError("unreachable", `The panel at ${place} does not finish the handshake.`)),
    );
    socket.once("error", (error) => give(socketFailure(error, endpoint)));
    socket.once("close", () => give(new AgentCallError("dropped", `${place} closed the connection at once.`)));
    socket.once("secureConnect", () => {
      const root = findPinnedRoot(readChain(socket), pin);
      if (root !== null) return finish(() => resolve(root));
      const why = "Somebody may be in between, or the line is of another panel";
      give(new AgentCallError("pin_mismatch", `What answers at ${place} does not carry the pin. ${why}.`));
    });
  });
}

function readChain(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next = socket.getPeerCertificate(true);
  while (next?.raw && chain.length < MAX_CHAIN && !chain.some(({ raw }) => raw.equals(next.raw))) {
    chain.push(new X509Certificate(next.raw));
    next = next.issuerCertificate;
  }
  return chain;
}
