import type { Socket } from "node:net";
import { type CrowdLimits, createCrowd } from "../../../kernel/http/crowd.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { addressOf } from "./address-of.ts";

/**
 * The panel's share of ten thousand handshakes is some seconds of processor time, and none of them is done before most of
 * them are: with less than this, a fleet that comes back at once is thrown out again and again.
 */
export const HANDSHAKE_MS = seconds(60);
/** A whole fleet may stand behind one address, and still leave room for others; one that takes longer than fair makes room. */
const LIMITS: CrowdLimits = { max: 12_000, maxOfEach: 10_000, fairMs: seconds(10) };

/** Connections that are not through with TLS: bounded, so that nobody fills the memory with some that never will be. */
export function createHandshakes(clock: Pick<Clock, "monotonic">, limits = LIMITS) {
  const begun = createCrowd<Socket>(clock, limits, (socket) => {
    socket.off("close", onClose);
    socket.destroy();
  });

  function end(socket: Socket): void {
    begun.leave(socket);
    socket.off("close", onClose);
  }
  function onClose(this: Socket): void {
    end(this);
  }

  return {
    /** Counts a connection in, or closes it. */
    begin(socket: Socket): void {
      if (begun.admit(socket, networksAround(addressOf(socket)))) socket.on("close", onClose);
      else socket.destroy();
    },
    /** TLS is through. */
    end,
    count: begun.count,
  };
}
