import type { TLSSocket } from "node:tls";
import { type CrowdLimits, createCrowd } from "../../../kernel/http/crowd.ts";
import { networkOf, networksAround } from "../../../kernel/http/peer.ts";
import { seconds } from "../../../lib/duration.ts";
import { agentFail } from "../../../shared/agent-protocol/index.ts";
import { addressOf } from "./address-of.ts";
import { Connection, type ConnectionWorld } from "./connection.ts";
import type { PresentedCertificate } from "./directory.ts";
import { createHoldings } from "./holdings.ts";
import type { Session } from "./session.ts";
import type { NodeStream, StreamRequest, StreamState } from "./session-streams.ts";

/** Of those without a certificate. A site that enrols many servers stands behind one address. */
const STRANGERS: CrowdLimits = { max: 500, maxOfEach: 100, fairMs: seconds(2) };
/** Of each node, without its session: a node comes with one request at a time, and with a new one when a former is lost. */
const OF_NODE: CrowdLimits = { max: Number.POSITIVE_INFINITY, maxOfEach: 8, fairMs: -1 };

/** Bytes of what is not whole yet: in all, and for a workspace by the number of its nodes. */
const MAX_HELD = 268_435_456;
const HELD_LEAST = 4_194_304;
const HELD_OF_NODE = 16_384;

/** All open connections, and the session of each node that has one. */
export function createConnections(
  given: Omit<ConnectionWorld, "begun" | "answering" | "answered" | "holds" | "second">,
) {
  const open = new Map<TLSSocket, Connection>();
  /** Those without a session: few, as nodes come with requests to enrol and to renew. */
  const plain = new Set<Connection>();
  const sessions = new Map<string, Session>();
  const holdings = createHoldings<Connection>(
    { max: MAX_HELD, maxOf: (account) => HELD_LEAST + HELD_OF_NODE * given.directory.count(account) },
    (connection) => connection.refuse(),
  );
  const strangers = createCrowd<Connection>(given.clock, STRANGERS, ({ socket }) => socket.destroy());
  const ofNodes = createCrowd<Connection>(given.clock, OF_NODE, ({ socket }) => socket.destroy());
  // Counted, not read off a clock: after the program stood still, nobody was silent for that long.
  let second = 0;

  function admit(connection: Connection): boolean {
    const { presented, socket } = connection;
    if (presented) return ofNodes.admit(connection, [presented.nodeId]);
    return strangers.admit(connection, networksAround(addressOf(socket)));
  }

  function leave(connection: Connection): void {
    strangers.leave(connection);
    ofNodes.leave(connection);
  }

  const holds = (connection: Connection, bytes: number) => holdings.note(connection, accountOf(connection), bytes);

  function answered(connection: Connection): void {
    if (open.has(connection.socket) && !admit(connection)) connection.socket.destroy();
  }

  function accountOf({ presented, socket }: Connection): string {
    if (!presented) return `network ${networkOf(addressOf(socket))}`;
    return given.directory.find(presented.nodeId)?.tenantId ?? `node ${presented.nodeId}`;
  }

  /** The newer one is right: a node whose network went away knows of its end before the panel does. */
  function begun(connection: Connection, session: Session): void {
    plain.delete(connection);
    leave(connection);
    const { nodeId } = session.presented;
    const former = sessions.get(nodeId);
    sessions.set(nodeId, session);
    former?.end(agentFail("session_replaced"));
  }
  const world: ConnectionWorld = { ...given, begun, answering: leave, answered, holds, second: () => second };

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
    leave(connection);
    holdings.drop(connection);
    connection.session()?.lose();
    const { presented } = connection;
    if (presented && sessions.get(presented.nodeId) === connection.session()) sessions.delete(presented.nodeId);
  }

  return {
    /** Begins to serve a connection; closes it when there are too many without a certificate. */
    add(socket: TLSSocket, presented: PresentedCertificate | null): void {
      const connection = new Connection(world, socket, presented);
      if (!admit(connection)) return void socket.destroy();
      open.set(socket, connection);
      plain.add(connection);
      socket.on("error", onError).on("close", onClose).on("data", onData);
    },
    wake: (nodeId: string): void => sessions.get(nodeId)?.wake(),
    hasSession: (nodeId: string): boolean => sessions.get(nodeId)?.isOpen() === true,
    streamState: (nodeId: string, tenantId: string, service: string): StreamState =>
      sessions.get(nodeId)?.streamState(tenantId, service) ?? "offline",
    openStream: (nodeId: string, tenantId: string, request: StreamRequest): NodeStream | null =>
      sessions.get(nodeId)?.openStream(tenantId, request) ?? null,
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
