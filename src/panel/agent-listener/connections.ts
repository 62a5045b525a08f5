import type { TLSSocket } from "node:tls";
import { agentFail } from "../../shared/agent-protocol/index.ts";
import { Connection, type ConnectionWorld } from "./connection.ts";
import type { PresentedCertificate } from "./directory.ts";
import type { Session } from "./session.ts";

const MAX_STRANGERS = 500;

/** All open connections, and the session of each node that has one. */
export function createConnections(given: Omit<ConnectionWorld, "begun" | "second">) {
  const open = new Map<TLSSocket, Connection>();
  const sessions = new Map<string, Session>();
  let strangers = 0;
  // Counted, not read off a clock: after the program stood still, nobody was silent for that long.
  let second = 0;

  /** The newer one is right: a node whose network went away knows of its end before the panel does. */
  function begun(session: Session): void {
    const { nodeId } = session.presented;
    const former = sessions.get(nodeId);
    sessions.set(nodeId, session);
    former?.end(agentFail("session_replaced"));
  }
  const world: ConnectionWorld = { ...given, begun, second: () => second };

  // Shared by all sockets: a listener for each of them would be a closure for each of them.
  function onData(this: TLSSocket, bytes: Buffer): void {
    open.get(this)?.feed(bytes);
  }
  function onError(this: TLSSocket): void {
    this.destroy();
  }
  function onClose(this: TLSSocket): void {
    const connection = open.get(this);
    if (!connection) return;
    open.delete(this);
    const { presented } = connection;
    if (!presented) strangers -= 1;
    else if (sessions.get(presented.nodeId) === connection.session()) sessions.delete(presented.nodeId);
  }

  return {
    /** Begins to serve a connection; closes it when there are too many without a certificate. */
    add(socket: TLSSocket, presented: PresentedCertificate | null): void {
      if (!presented && strangers >= MAX_STRANGERS) return void socket.destroy();
      if (!presented) strangers += 1;
      open.set(socket, new Connection(world, socket, presented));
      socket.on("error", onError).on("close", onClose).on("data", onData);
    },
    wake: (nodeId: string): void => sessions.get(nodeId)?.wake(),
    hasSession: (nodeId: string): boolean => sessions.get(nodeId)?.isOpen() === true,
    /** Something about a node's certificates changed. */
    revoke(nodeId: string): void {
      for (const connection of open.values()) if (connection.presented?.nodeId === nodeId) connection.revoke();
    },
    /** Once a second. */
    tick(): void {
      second += 1;
      for (const connection of open.values()) connection.tick(second);
    },
    closeAll(): void {
      for (const socket of [...open.keys()]) socket.destroy();
    },
    count: (): number => open.size,
  };
}
