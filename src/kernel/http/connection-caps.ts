import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import type { PortSocket, PortSockets } from "../host/port-sockets.ts";
import type { Log } from "../log.ts";
import { networkOf, networksAround } from "./peer.ts";

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
 * beyond its limit ends, and when there are too many in all, the provider with the most gives way, in it the site and in that the network.
 * The newest go first: who was here before keeps what it has. Returns how to stop looking.
 */
export function capConnections(deps: ConnectionCapsDeps): () => void {
  const { clock, log, sockets, port, isExempt, limits = limitsFor(sockets.maxDescriptors()) } = deps;
  let cancel = (): void => {};
  /** In the order in which they were first seen. */
  let known = new Map<string, number>();
  let count = 0;

  function endSurplus(): void {
    if (sockets.descriptors() <= FEW) {
      known.clear();
      return;
    }
    const open = sockets.list(port);
    known = new Map(open.map((socket) => [nameOf(socket), known.get(nameOf(socket)) ?? ++count]));
    const since = (socket: PortSocket) => known.get(nameOf(socket)) ?? count;
    const crowded = surplusOf(
      open.filter(({ address }) => !isExempt(address)),
      since,
      limits,
    );
    for (const { surplus } of crowded) for (const socket of surplus) sockets.end(socket);
    tell(crowded);
  }

  function look(): void {
    const begin = clock.monotonic();
    try {
      endSurplus();
    } catch (error) {
      // To look takes a descriptor too. A program that has none left is not ended by that: it looks again.
      log.warn("the connections could not be counted", { error });
    }
    cancel = clock.after(Math.max(LOOK_MS, (clock.monotonic() - begin) * SHARE), look);
  }

  /** One line, however many networks it was. */
  function tell(crowded: ReturnType<typeof surplusOf>): void {
    const [most] = crowded.toSorted((one, other) => other.surplus.length - one.surplus.length);
    if (most === undefined) return;
    const ended = crowded.reduce((sum, { surplus }) => sum + surplus.length, 0);
    log.warn("there were too many connections", { ended, networks: crowded.length, most_of: most.network });
  }

  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}

const nameOf = ({ fd, address, port }: PortSocket) => `${fd} ${address} ${port}`;

/** Connections of whoever a path of networks leads to. */
interface Network {
  path: readonly string[];
  /** Oldest first. */
  open: readonly PortSocket[];
}

/** What has to go, by network, newest first. */
function surplusOf(
  open: readonly PortSocket[],
  since: (socket: PortSocket) => number,
  { max, maxOfNetwork }: ConnectionLimits,
): { network: string; surplus: readonly PortSocket[] }[] {
  // Who was here first comes first, in a network and among them.
  const inOrder = open.toSorted((one, other) => since(one) - since(other));
  const byNetwork = Map.groupBy(inOrder, ({ address }) => networkOf(address));
  const networks = [...byNetwork].map(([network, own]) => ({
    ...{ network, path: networksAround(own[0]?.address ?? "") },
    open: own,
  }));
  const kept = new Map(
    share(
      networks.map(({ path, open: own }) => ({ path, open: own.slice(0, maxOfNetwork) })),
      max,
    ),
  );
  return networks.flatMap(({ network, open: own }) => {
    const surplus = own.slice(kept.get(network) ?? 0).reverse();
    return surplus.length === 0 ? [] : [{ network, surplus }];
  });
}

/**
 * How many each network may keep, by its name, so that together they keep no more than `max`: providers share that evenly, the sites of
 * each its part, and so on, and what somebody does not need is shared by the others.
 */
function share(networks: readonly Network[], max: number, depth = 0): [network: string, count: number][] {
  const [first] = networks;
  if (first === undefined) return [];
  if (depth === first.path.length) return [[first.path.at(-1) ?? "", Math.min(max, first.open.length)]];
  const parts = [...Map.groupBy(networks, ({ path }) => path[depth] ?? "").values()];
  const sizes = parts.map((part) => part.reduce((sum, { open }) => sum + open.length, 0));
  const cuts = cutTo(sizes, max);
  return parts.flatMap((part, at) => share(part, cuts[at] ?? 0, depth + 1));
}

/** To how many each of these may be cut, so that together they are `max` at most; where one more is left over, the first get it. */
function cutTo(sizes: readonly number[], max: number): number[] {
  let level = Number.POSITIVE_INFINITY;
  let left = max;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const fair = Math.floor(left / (sizes.length - at));
    if (size > fair) {
      level = fair;
      left -= fair * (sizes.length - at);
      break;
    }
    left -= size;
  }
  return sizes.map((size) => {
    if (size <= level) return size;
    left -= 1;
    return left >= 0 ? level + 1 : level;
  });
}
