import type { Socket } from "node:net";
import { minutes, seconds } from "../../lib/duration.ts";
import type { PresentedCertificate } from "./directory.ts";

/** Twice the longest time between heartbeats. */
const NODE_IDLE_MS = minutes(2);
/** Enough to register, little for those who only hold connections open. */
const STRANGER_IDLE_MS = seconds(10);
const REQUEST_MS = seconds(30);
const MAX_STRANGERS = 500;

interface Connection {
  presented: PresentedCertificate | null;
  /** Monotonic time of the last change between idle and busy. */
  since: number;
  isBusy: boolean;
  /** Carries an answer that lasts. */
  isStream: boolean;
}

/** Open connections, who is on them, and since when they wait. Times are monotonic milliseconds. */
export function createConnections(monotonic: () => number) {
  const open = new Map<Socket, Connection>();
  const ofNode = new Map<string, Set<Socket>>();
  let strangers = 0;

  function remove(socket: Socket): void {
    const connection = open.get(socket);
    if (!connection) return;
    open.delete(socket);
    const { presented } = connection;
    if (!presented) {
      strangers -= 1;
      return;
    }
    const sockets = ofNode.get(presented.nodeId);
    sockets?.delete(socket);
    if (sockets?.size === 0) ofNode.delete(presented.nodeId);
  }

  function isOverdue({ presented, since, isBusy, isStream }: Connection, now: number): boolean {
    if (isStream) return false;
    if (isBusy) return now - since > REQUEST_MS;
    return now - since > (presented ? NODE_IDLE_MS : STRANGER_IDLE_MS);
  }

  return {
    /** Counts a connection in; false when there are too many without a certificate. */
    add(socket: Socket, presented: PresentedCertificate | null): boolean {
      if (!presented && strangers >= MAX_STRANGERS) return false;
      open.set(socket, { presented, since: monotonic(), isBusy: false, isStream: false });
      if (presented) {
        const sockets = ofNode.get(presented.nodeId) ?? new Set();
        ofNode.set(presented.nodeId, sockets.add(socket));
      } else strangers += 1;
      socket.once("close", () => remove(socket));
      return true;
    },
    find: (socket: Socket): Connection | undefined => open.get(socket),
    mark(socket: Socket, isBusy: boolean): void {
      const connection = open.get(socket);
      if (connection) Object.assign(connection, { isBusy, since: monotonic() });
    },
    /** From here on this connection carries an answer that lasts. */
    markStream(socket: Socket): void {
      const connection = open.get(socket);
      if (connection) connection.isStream = true;
    },
    closeNode(nodeId: string): void {
      for (const socket of [...(ofNode.get(nodeId) ?? [])]) socket.destroy();
    },
    /** Closes what waited too long: the runtime does not. */
    reap(): void {
      const now = monotonic();
      for (const [socket, connection] of open) if (isOverdue(connection, now)) socket.destroy();
    },
    closeAll(): void {
      for (const socket of [...open.keys()]) socket.destroy();
    },
    count: (): number => open.size,
  };
}
