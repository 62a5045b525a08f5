import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Crowd, type CrowdLimits, createCrowd } from "../../../../kernel/http/crowd.ts";
import { clientBehind, networksAround, plainAddress } from "../../../../kernel/http/peer.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";

/** Connections of one network that have brought no right signature. Clients keep a few dozen open, the greediest 256. */
export const MAX_OF_NETWORK = 500;
/** Of those who have shown nothing yet: whoever was here for a moment makes room for who comes. */
const STRANGERS: CrowdLimits = { max: 1_000, maxOfEach: MAX_OF_NETWORK, fairMs: seconds(2) };
const KEYS: CrowdLimits = { max: 1_000, maxOfEach: 1_000, fairMs: Number.POSITIVE_INFINITY };
/**
 * Large answers of those who sign nothing, and of keys: of one that is read slowly a piece of a megabyte is in memory. A transfer may take
 * hours: only who takes less than a piece in a minute makes room for others who have as much.
 */
const READERS: CrowdLimits = { max: 160, maxOfEach: 64, fairMs: minutes(1) };
const LARGE_OF_KEYS: CrowdLimits = { max: 256, maxOfEach: 256, fairMs: minutes(1) };

/** The connections of the port. */
export interface Connections {
  /** Counts one that comes, or closes it. */
  greet(socket: Socket): void;
  /** It brought a right signature of a key, and counts for that from now on. */
  prove(socket: Socket, accessKey: string): void;
  /** It reads a large answer, which counts until that has left; false where as many are on their way as may be. */
  letRead(request: Pick<IncomingMessage, "socket" | "headers">, response: ServerResponse): boolean;
  /** It has taken a piece of a large answer. */
  hasTaken(socket: Socket, response: ServerResponse): void;
}

type Config = Pick<Needs["config"], "trusted_proxies">;

function addressOf({ trusted_proxies }: Config, socket: Socket): { address: string; isProxy: boolean } {
  const address = plainAddress(socket.remoteAddress ?? "") ?? "unknown";
  return { address, isProxy: trusted_proxies.includes(address) };
}

/** The path to whose a connection is, the widest part first. Trusted proxies stand for many people: each of their connections is somebody. */
function pathOfConnection(config: Config, socket: Socket): readonly [string, ...string[]] {
  const { address, isProxy } = addressOf(config, socket);
  return isProxy ? [`${address} ${socket.remotePort}`] : networksAround(address);
}

/** Where a connection is counted, and as whose. */
interface Place {
  crowd: Crowd<Socket>;
  path: readonly string[];
}

/** The path to whoever asks without a key, the widest part first: a trusted proxy says for whom it asks. */
export function pathOfAsker(
  config: Config,
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
): readonly [string, ...string[]] {
  const { address, isProxy } = addressOf(config, socket);
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const client = isProxy ? clientBehind(address, forwarded, config.trusted_proxies) : address;
  return client === address ? pathOfConnection(config, socket) : networksAround(client);
}

/**
 * Bounds the connections of the port, so that nobody takes the room of others: those that have shown nothing yet, those that read what is
 * large and public and those of keys are counted apart, and so are the large answers that go to keys. Networks make room as parts of their
 * sites and providers, keys each by themselves. Where keys have no room, a connection stays among those that have shown nothing.
 */
export function createConnections({ clock, config }: Pick<Needs, "clock" | "config">): Connections {
  const bound = (limits: CrowdLimits) => createCrowd<Socket>(clock, limits, (socket) => socket.destroy());
  const [strangers, readers, keys] = [bound(STRANGERS), bound(READERS), bound(KEYS)];
  const largeOfKeys = createCrowd<ServerResponse>(clock, LARGE_OF_KEYS, (response) => response.destroy());
  const places = new Map<Socket, Place>();

  function move(socket: Socket, crowd: Crowd<Socket>, path: readonly string[]): boolean {
    const from = places.get(socket)?.crowd;
    if (from === undefined || from === crowd || !crowd.admit(socket, path)) return false;
    from.leave(socket);
    places.set(socket, { crowd, path });
    return true;
  }

  function letKeyRead(path: readonly string[], response: ServerResponse): boolean {
    if (!largeOfKeys.admit(response, path)) return false;
    response.once("close", () => largeOfKeys.leave(response));
    return true;
  }

  function letStrangerRead(request: Pick<IncomingMessage, "socket" | "headers">, response: ServerResponse): boolean {
    const { socket } = request;
    if (!move(socket, readers, pathOfAsker(config, request))) return false;
    response.once("close", () => {
      if (places.get(socket)?.crowd !== readers) return;
      if (!move(socket, strangers, pathOfConnection(config, socket))) socket.destroy();
    });
    return true;
  }

  return {
    greet(socket) {
      const path = pathOfConnection(config, socket);
      if (!strangers.admit(socket, path)) return void socket.destroy();
      places.set(socket, { crowd: strangers, path });
      socket.once("close", () => {
        places.get(socket)?.crowd.leave(socket);
        places.delete(socket);
      });
    },
    prove: (socket, accessKey) => void move(socket, keys, [accessKey]),
    hasTaken(socket, response) {
      readers.touch(socket);
      largeOfKeys.touch(response);
    },
    letRead(request, response) {
      const place = places.get(request.socket);
      if (place?.crowd === keys) return letKeyRead(place.path, response);
      return place?.crowd === readers || letStrangerRead(request, response);
    },
  };
}
