import type { Clock } from "../../lib/clock.ts";

/** How many there may be. */
export interface CrowdLimits {
  /** In all. */
  max: number;
  /** Of one network. */
  maxOfNetwork: number;
  /** Whoever was here for longer than this makes room for others of its network, milliseconds. */
  fairMs: number;
}

/** Those who are let in for a while, each from a network. */
export interface Crowd<T> {
  /** Lets a member in, if need be in the place of another one, which is `removed`; false when there is no room. */
  admit(member: T, network: string): boolean;
  /** It has gone, or is done. */
  leave(member: T): void;
  count(): number;
}

/**
 * Bounds a crowd so that no network takes the room of another: each has a limit of its own, and when there are too many in all,
 * whoever came first of the network with the most goes. `removed` is told of those who had to go.
 */
export function createCrowd<T>(
  clock: Pick<Clock, "monotonic">,
  { max, maxOfNetwork, fairMs }: CrowdLimits,
  removed: (member: T) => void,
): Crowd<T> {
  const networks = new Map<T, string>();
  /** Of each network: since when each of its members is here, oldest first. */
  const since = new Map<string, Map<T, number>>();

  function leave(member: T): void {
    const network = networks.get(member);
    if (network === undefined) return;
    networks.delete(member);
    const own = since.get(network);
    own?.delete(member);
    if (own?.size === 0) since.delete(network);
  }

  function oldestOf(network: string): { member: T; at: number } | null {
    const first = since.get(network)?.entries().next();
    return first && !first.done ? { member: first.value[0], at: first.value[1] } : null;
  }

  function sizeOf(network: string): number {
    return since.get(network)?.size ?? 0;
  }

  function largest(): string {
    let found = "";
    for (const [network, own] of since) if (own.size > sizeOf(found)) found = network;
    return found;
  }

  function remove(member: T): void {
    leave(member);
    removed(member);
  }

  /** Whether there is room for one more, if need be in the place of another one of that network. */
  function hasRoomOf(network: string): boolean {
    const oldest = oldestOf(network);
    if (!oldest || clock.monotonic() - oldest.at <= fairMs) return false;
    remove(oldest.member);
    return true;
  }

  function hasRoom(network: string): boolean {
    if (sizeOf(network) >= maxOfNetwork) return hasRoomOf(network);
    if (networks.size < max) return true;
    const crowded = largest();
    // Where all have as many, nobody has to make room at once.
    if (sizeOf(crowded) <= sizeOf(network) + 1) return hasRoomOf(crowded);
    const oldest = oldestOf(crowded);
    if (oldest) remove(oldest.member);
    return oldest !== null;
  }

  return {
    admit(member, network) {
      if (!hasRoom(network)) return false;
      networks.set(member, network);
      const own = since.get(network) ?? new Map<T, number>();
      since.set(network, own.set(member, clock.monotonic()));
      return true;
    },
    leave,
    count: () => networks.size,
  };
}
