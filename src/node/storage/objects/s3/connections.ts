import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Crowd, type CrowdLimits, createCrowd } from "../../../../kernel/http/crowd.ts";
import { clientBehind, networksAround } from "../../../../kernel/http/peer.ts";
import { plainAddress } from "../../../../kernel/http/plain-address.ts";
import { isTrusted } from "../../../../kernel/http/trusted-proxies.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";

/** Connections of one network that have brought no right signature. Clients keep a few dozen open, the greediest 256. */
export const MAX_OF_NETWORK = 500;
/** Of those who have shown nothing yet: whoever was here for a moment makes room for who comes. */
const STRANGERS: CrowdLimits = { max: 1_000, maxOfEach: MAX_OF_NETWORK, fairMs: seconds(2) };
const KEYS: CrowdLimits = { max: 1_000, maxOfEach: 1_000, fairMs: Number.POSITIVE_INFINITY };
/**
 * Large answers to those who sign nothing, and to keys: of one that is read slowly a piece of a megabyte is in memory. A transfer may take
 * hours: only who takes less than a piece in a minute makes room for others who have as much.
 */
const LARGE_OF_STRANGERS: CrowdLimits = { max: 160, maxOfEach: 64, fairMs: minutes(1) };
const LARGE_OF_KEYS: CrowdLimits = { max: 256, maxOfEach: 256, fairMs: minutes(1) };

/** The connections of the port. */
export interface Connections {
  /** Counts one that comes, or closes it. */
  greet(socket: Socket): void;
  /** It brought a right signature of a key, and counts for that until it brings one of another key. */
  prove(socket: Socket, accessKey: string): void;
  /**
   * Counts a large answer until it has left, for the key that signed this request, or for whoever asks without one; false where as many
   * are on their way as may be. What the connection brought before does not matter: one that a proxy keeps serves everybody.
   */
  letRead(request: Asking, response: ServerResponse, accessKey: string | null): boolean;
  /** A piece of a large answer has been taken. */
  hasTaken(response: ServerResponse): void;
}

type Config = Pick<Needs["config"], "trusted_proxies">;
type Asking = Pick<IncomingMessage, "socket" | "headers">;

function addressOf({ trusted_proxies }: Config, socket: Socket): { address: string; isProxy: boolean } {
  const address = plainAddress(socket.remoteAddress ?? "") ?? "unknown";
  return { address, isProxy: isTrusted(trusted_proxies, address) };
}

/** The path to whose a connection is, the widest part first. Trusted proxies stand for many people: each of their connections is somebody. */
function pathOfConnection(config: Config, socket: Socket): readonly [string, ...string[]] {
  const { address, isProxy } = addressOf(config, socket);
  return isProxy ? [`${address} ${socket.remotePort}`] : networksAround(address);
}

/** Where a connection is counted. */
interface Place {
  /** Null while its large answer is counted in its stead. */
  crowd: Crowd<Socket> | null;
  /** The key that it counts for, now or once that answer has left. */
  accessKey: string | null;
}

/** The path to whoever asks without a key, the widest part first: a trusted proxy says for whom it asks. */
export function pathOfAsker(config: Config, { socket, headers }: Asking): readonly [string, ...string[]] {
  const { address, isProxy } = addressOf(config, socket);
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const client = isProxy ? clientBehind(address, forwarded, config.trusted_proxies) : address;
  return client === address ? pathOfConnection(config, socket) : networksAround(client);
}

/**
 * Bounds the connections of the port, so that nobody takes the room of others: those that have shown nothing yet and those of keys are
 * counted apart, and so are the large answers to strangers and to keys. Networks make room as parts of their sites and providers, keys each
 * by themselves. Where keys have no room, a connection stays among those that have shown nothing.
 */
export function createConnections({ clock, config }: Pick<Needs, "clock" | "config">): Connections {
  const bound = <T extends Socket | ServerResponse>(limits: CrowdLimits) =>
    createCrowd<T>(clock, limits, (member) => member.destroy());
  const [strangers, keys] = [bound<Socket>(STRANGERS), bound<Socket>(KEYS)];
  const largeOfStrangers = bound<ServerResponse>(LARGE_OF_STRANGERS);
  const largeOfKeys = bound<ServerResponse>(LARGE_OF_KEYS);
  const places = new Map<Socket, Place>();

  /** Counts a connection that is counted nowhere; where there is no room at all, it ends. */
  function settle(socket: Socket, accessKey: string | null): void {
    if (accessKey !== null && keys.admit(socket, [accessKey])) places.set(socket, { crowd: keys, accessKey });
    else if (strangers.admit(socket, pathOfConnection(config, socket)))
      places.set(socket, { crowd: strangers, accessKey: null });
    else socket.destroy();
  }

  return {
    greet(socket) {
      socket.once("close", () => {
        places.get(socket)?.crowd?.leave(socket);
        places.delete(socket);
      });
      settle(socket, null);
    },
    prove(socket, accessKey) {
      const place = places.get(socket);
      if (place === undefined || place.accessKey === accessKey) return;
      place.crowd?.leave(socket);
      settle(socket, accessKey);
    },
    letRead(request, response, accessKey) {
      const { socket } = request;
      const place = places.get(socket);
      if (place === undefined || response.destroyed) return false;
      const large = accessKey === null ? largeOfStrangers : largeOfKeys;
      if (!large.admit(response, accessKey === null ? pathOfAsker(config, request) : [accessKey])) return false;
      // Who has shown nothing may have to go any moment, and what a stranger reads takes no room of the key that was there before.
      if (accessKey === null || place.crowd === strangers) {
        place.crowd?.leave(socket);
        places.set(socket, { ...place, crowd: null });
      }
      response.once("close", () => {
        large.leave(response);
        const left = places.get(socket);
        if (left?.crowd === null && !socket.destroyed) settle(socket, left.accessKey);
      });
      return true;
    },
    hasTaken(response) {
      largeOfStrangers.touch(response);
      largeOfKeys.touch(response);
    },
  };
}
