import type { Socket } from "node:net";
import { createCrowd } from "../../../../kernel/http/crowd.ts";
import { networkOf, plainAddress } from "../../../../kernel/http/peer.ts";
import type { Needs } from "../needs.ts";

/** Connections at a time, in all and of one network. Clients keep a few dozen open, the greediest 256. */
const MAX = 1_000;
export const MAX_OF_NETWORK = 500;

/** Whose a connection is. Trusted proxies stand for many people, so each of their connections is somebody. */
export function networkOfConnection(
  { trusted_proxies }: Pick<Needs["config"], "trusted_proxies">,
  socket: Socket,
): string {
  const address = plainAddress(socket.remoteAddress ?? "") ?? "unknown";
  return trusted_proxies.includes(address) ? `${address} ${socket.remotePort}` : networkOf(address);
}

/**
 * Bounds the connections of the port, so that no network takes the room of others: what one has beyond its limit is refused, and when
 * there are too many in all, the network with the most makes room. Trusted proxies stand for many people and have no limit of their own.
 */
export function createGreeter({ clock, config }: Pick<Needs, "clock" | "config">): (socket: Socket) => void {
  // A transfer may take hours: how long somebody is here is no reason to go.
  const limits = { max: MAX, maxOfEach: MAX_OF_NETWORK, fairMs: Number.POSITIVE_INFINITY };
  const crowd = createCrowd<Socket>(clock, limits, (socket) => socket.destroy());
  return (socket) => {
    if (crowd.admit(socket, [networkOfConnection(config, socket)])) socket.once("close", () => crowd.leave(socket));
    else socket.destroy();
  };
}
