import type { Socket } from "node:net";

/** Where a connection comes from. IPv4 stays IPv4 on a socket that speaks both. */
export const addressOf = (socket: Pick<Socket, "remoteAddress">): string =>
  (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
