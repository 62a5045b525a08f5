import type { TLSSocket } from "node:tls";
import { agentFail } from "../../../shared/agent-protocol/index.ts";
import { Connection, type ConnectionWorld } from "./connection.ts";
import type { PresentedCertificate } from "./directory.ts";
import type { Session } from "./session.ts";

const MAX_STRANGERS = 500;

/** All open connections, and the session of each node that has one. */
export function createConnections(given: Omit<ConnectionWorld, "begun" | "second">) {
  const open = new Map<TLSSocket, Connection>();
  /** Those without a session: few, as nodes come with requests to enrol and to renew. */
  const plain = new Set<Connection>();
  const sessions = new Map<string, Session>();
  let strangers = 0;
  // Counted, not read off a clock: after the program stood still, nobody was silent for that long.
  let second = 0;

  /** The newer one is right: a node whose network went away knows of its end before the panel does. */
  function begun(connection: Connection, session: Session): void {
    plain.delete(connection);
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
    plain.delete(connection);
    const { presented } = connection;
    if (!presented) strangers -= 1;
    else if (sessions.get(presented.nodeId) === connection.session()) sessions.delete(presented.nodeId);
  }

  return {
    /** Begins to serve a connection; closes it when there are too many without a certificate. */
    add(socket: TLSSocket, presented: PresentedCertificate | null): void {
      if (!presented && strangers >= MAX_STRANGERS) return void socket.destroy();
      if (!presented) strangers += 1;
      const connection = new Connection(world, socket, presented);
      open.set(socket, connection);
      plain.add(connection);
      socket.on("error", onError).on("close", onClose).on("data", onData);
    },
    wake: (nodeId: string): void => sessions.get(nodeId)?.wake(),
    hasSession: (nodeId: string): boolean => sessions.get(nodeId)?.isOpen() === true,
    /** Something about a node's certificates changed; a fleet that is enrolled anew says so for each of its nodes. */
    revoke(nodeId: string): void {
      void sessions.get(nodeId)?.revoke();
      for (const { presented, socket } of plain) if (presented?.nodeId === nodeId) socket.destroy();
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
