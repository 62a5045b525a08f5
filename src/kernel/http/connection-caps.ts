import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import type { PortSocket, PortSockets } from "../host/port-sockets.ts";
import type { Log } from "../log.ts";
import { networkOf } from "./peer.ts";

/** How many connections may be open to one port. */
export interface ConnectionLimits {
  max: number;
  maxOfNetwork: number;
}

/** What caps need to know of a port. */
export interface ConnectionCapsDeps {
  clock: Pick<Clock, "monotonic" | "after">;
  log: Pick<Log, "warn">;
  sockets: PortSockets;
  port: number;
  /** By default what suits the descriptors that this program may have. */
  limits?: ConnectionLimits;
  /** Addresses that stand for many people, such as proxies. */
  isExempt(address: string): boolean;
}

/** Nobody holds that many without being counted; below, a look costs less than a request. */
const FEW = 256;
const LOOK_MS = seconds(1);
/** A look takes no more than this part of the time. */
const SHARE = 20;
/** A program must have descriptors for its files, whatever comes from outside. */
const PART_OF_DESCRIPTORS = { all: 2, network: 8 };

/** Limits that suit a program which may have so many descriptors. */
export function limitsFor(descriptors: number): ConnectionLimits {
  const of = (part: number, most: number) => Math.min(most, Math.floor(descriptors / part));
  return { max: of(PART_OF_DESCRIPTORS.all, 100_000), maxOfNetwork: of(PART_OF_DESCRIPTORS.network, 20_000) };
}

/**
 * Bounds the connections of a port, those without a request too, so that no network takes the room of others: what a network has
 * beyond its limit ends, and when there are too many in all, the network with the most gives way. The newest go first: who was here
 * before keeps what it has. Returns how to stop looking.
 */
export function capConnections(deps: ConnectionCapsDeps): () => void {
  const { clock, log, sockets, port, isExempt, limits = limitsFor(sockets.maxDescriptors()) } = deps;
  let cancel = (): void => {};
  /** In the order in which they were first seen. */
  let known = new Map<string, number>();
  let count = 0;

  function look(): void {
    const begin = clock.monotonic();
    if (sockets.descriptors() > FEW) {
      const open = sockets.list(port);
      known = new Map(open.map((socket) => [nameOf(socket), known.get(nameOf(socket)) ?? ++count]));
      const since = (socket: PortSocket) => known.get(nameOf(socket)) ?? count;
      for (const { network, surplus } of surplusOf(
        open.filter(({ address }) => !isExempt(address)),
        since,
        limits,
      )) {
        for (const socket of surplus) sockets.end(socket);
        log.warn("a network had too many connections", { network, ended: surplus.length });
      }
    } else known.clear();
    cancel = clock.after(Math.max(LOOK_MS, (clock.monotonic() - begin) * SHARE), look);
  }

  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}

const nameOf = ({ fd, address, port }: PortSocket) => `${fd} ${address} ${port}`;

/** What has to go, by network, newest first. */
function surplusOf(
  open: readonly PortSocket[],
  since: (socket: PortSocket) => number,
  limits: ConnectionLimits,
): { network: string; surplus: PortSocket[] }[] {
  const networks = Object.entries(Object.groupBy(open, ({ address }) => networkOf(address)));
  const sizes = networks.map(([, own]) => Math.min(own?.length ?? 0, limits.maxOfNetwork));
  const cap = capFor(sizes, limits.max);
  return networks.flatMap(([network, own = []]) => {
    if (own.length <= cap) return [];
    const surplus = own.toSorted((one, other) => since(other) - since(one)).slice(0, own.length - cap);
    return [{ network, surplus }];
  });
}

/** The largest size to which all may be cut, so that together they are no more than `max`. */
function capFor(sizes: readonly number[], max: number): number {
  let left = max;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const fair = Math.floor(left / (sizes.length - at));
    if (size > fair) return fair;
    left -= size;
  }
  return Math.max(0, ...sizes);
}
