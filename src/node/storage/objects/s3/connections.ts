import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Crowd, type CrowdLimits, createCrowd } from "../../../../kernel/http/crowd.ts";
import { networkOf, networksAround, plainAddress } from "../../../../kernel/http/peer.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";

/** Connections of one network that have brought no right signature. Clients keep a few dozen open, the greediest 256. */
export const MAX_OF_NETWORK = 500;
/** Of those who have shown nothing yet: whoever was here for a moment makes room for who comes. */
const STRANGERS: CrowdLimits = { max: 1_000, maxOfEach: MAX_OF_NETWORK, fairMs: seconds(2) };
/** A transfer may take hours: how long somebody is here is no reason to go. */
const READERS: CrowdLimits = { max: 500, maxOfEach: 250, fairMs: Number.POSITIVE_INFINITY };
const KEYS: CrowdLimits = { max: 1_000, maxOfEach: 1_000, fairMs: Number.POSITIVE_INFINITY };

/** The connections of the port. */
export interface Connections {
  /** Counts one that comes, or closes it. */
  greet(socket: Socket): void;
  /** It brought a right signature of a key, and counts for that from now on. */
  prove(socket: Socket, accessKey: string): void;
  /** It reads something that is public, and counts as a reader until the answer has left. */
  letRead(socket: Socket, response: ServerResponse): void;
}

type Config = Pick<Needs["config"], "trusted_proxies">;

/** Whose a connection is. Trusted proxies stand for many people, so each of their connections is somebody. */
export function networkOfConnection(config: Config, socket: Socket): string {
  const { address, isProxy } = addressOf(config, socket);
  return isProxy ? `${address} ${socket.remotePort}` : networkOf(address);
}

function addressOf({ trusted_proxies }: Config, socket: Socket): { address: string; isProxy: boolean } {
  const address = plainAddress(socket.remoteAddress ?? "") ?? "unknown";
  return { address, isProxy: trusted_proxies.includes(address) };
}

/** The path to whose a connection is, the widest part first. */
export function pathOfConnection(config: Config, socket: Socket): readonly [string, ...string[]] {
  const { address, isProxy } = addressOf(config, socket);
  return isProxy ? [networkOfConnection(config, socket)] : networksAround(address);
}

/**
 * Bounds the connections of the port, so that nobody takes the room of others: those that have shown nothing yet, those that read what is
 * public and those of keys are counted apart. Networks make room as parts of their sites and providers, keys each by themselves. Where
 * readers or keys have no room, a connection stays among those that have shown nothing.
 */
export function createConnections({ clock, config }: Pick<Needs, "clock" | "config">): Connections {
  const bound = (limits: CrowdLimits) => createCrowd<Socket>(clock, limits, (socket) => socket.destroy());
  const [strangers, readers, keys] = [bound(STRANGERS), bound(READERS), bound(KEYS)];
  /** Where each connection is counted. */
  const places = new Map<Socket, Crowd<Socket>>();

  function move(socket: Socket, to: Crowd<Socket>, path: readonly string[]): boolean {
    const from = places.get(socket);
    if (from === undefined || from === to || !to.admit(socket, path)) return false;
    from.leave(socket);
    places.set(socket, to);
    return true;
  }

  return {
    greet(socket) {
      if (!strangers.admit(socket, pathOfConnection(config, socket))) return void socket.destroy();
      places.set(socket, strangers);
      socket.once("close", () => {
        places.get(socket)?.leave(socket);
        places.delete(socket);
      });
    },
    prove: (socket, accessKey) => void move(socket, keys, [accessKey]),
    letRead(socket, response) {
      if (places.get(socket) !== strangers) return;
      const path = pathOfConnection(config, socket);
      if (!move(socket, readers, path)) return;
      response.once("close", () => {
        if (places.get(socket) === readers && !move(socket, strangers, path)) socket.destroy();
      });
    },
  };
}
