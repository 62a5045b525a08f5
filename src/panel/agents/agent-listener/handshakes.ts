import type { Socket } from "node:net";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";

/**
 * The panel's share of ten thousand handshakes is some seconds of processor time, and none of them is done before most of
 * them are: with less than this, a fleet that comes back at once is thrown out again and again.
 */
export const HANDSHAKE_MS = seconds(60);
/** When there are too many, one that takes longer than this makes room. */
const FAIR_MS = seconds(10);
const MAX_HANDSHAKES = 12_000;

/** Connections that are not through with TLS: bounded, so that nobody fills the memory with some that never will be. */
export function createHandshakes(clock: Pick<Clock, "monotonic">, max = MAX_HANDSHAKES) {
  /** Since when, oldest first. */
  const begun = new Map<Socket, number>();

  function end(socket: Socket): void {
    begun.delete(socket);
    socket.off("close", onClose);
  }
  function onClose(this: Socket): void {
    end(this);
  }

  /** Whether there is room, if need be in the place of the oldest. */
  function hasRoom(): boolean {
    if (begun.size < max) return true;
    const oldest = begun.entries().next().value;
    if (!oldest || clock.monotonic() - oldest[1] <= FAIR_MS) return false;
    end(oldest[0]);
    oldest[0].destroy();
    return true;
  }

  return {
    /** Counts a connection in, or closes it. */
    begin(socket: Socket): void {
      if (!hasRoom()) return void socket.destroy();
      begun.set(socket, clock.monotonic());
      socket.on("close", onClose);
    },
    /** TLS is through. */
    end,
    count: (): number => begun.size,
  };
}
