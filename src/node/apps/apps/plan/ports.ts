/** A port that an app needs, before it has a place on the host. */
export interface WantedPort {
  service: string;
  container: number;
  protocol: "tcp" | "udp";
  purpose: string;
  bind: string;
  /** Host port that the admin or the manifest prefers. */
  wanted: number | null;
  /** No other one will do. */
  isFixed: boolean;
  /** The program listens on the server itself, on all its addresses. */
  isOnHost: boolean;
}

/** A port with its place on the host. */
export interface PlacedPort extends Omit<WantedPort, "wanted" | "isFixed" | "isOnHost"> {
  host: number;
}

const FIRST_FREE = 1024;
const LAST_PORT = 65_535;
/** 80 becomes 8080, 443 becomes 8443: what people expect of an app that cannot have the real one. */
const LOW_PORT_SHIFT = 8000;

/** Everyone on the local network may reach it. */
export const EVERYWHERE = "0.0.0.0";
export const LOOPBACK = "127.0.0.1";

/** A port that somebody else has, and on which address. */
export interface TakenPort {
  address: string;
  port: number;
  protocol: string;
}

/** Key of a port in a set of taken ones. */
export const portKey = (port: number, protocol: string): string => `${port}/${protocol}`;

/** True for the ways to write every address of a machine. */
export const isEverywhere = (address: string): boolean => address === EVERYWHERE || address === "::" || address === "";

/** True when nobody could listen at `bind` beside whoever has `address`, with the same port. */
export const doClash = (bind: string, address: string): boolean =>
  isEverywhere(address) || address === bind || (isEverywhere(bind) && !address.includes(":"));

/** Whoever keeps a port from being had at that place; null when nobody does. */
export function findHolder(place: Pick<PlacedPort, "bind" | "host" | "protocol">, taken: readonly TakenPort[]) {
  const { bind, host, protocol } = place;
  return taken.find((one) => one.port === host && one.protocol === protocol && doClash(bind, one.address)) ?? null;
}

/**
 * Gives each port a place: the wanted one if it is free, else the next free one above it. One that is fixed stays where it
 * is wanted; where that place is only partly taken, it goes to the server's own address on its network, `lan`. Throws an
 * Error when there is no free port left.
 */
export function placePorts(ports: readonly WantedPort[], taken: readonly TakenPort[], lan: string): PlacedPort[] {
  const used = new Set(taken.map(({ port, protocol }) => portKey(port, protocol)));
  return ports.map(({ wanted, isFixed, isOnHost, ...port }) => {
    const first = wanted ?? (port.container < FIRST_FREE ? port.container + LOW_PORT_SHIFT : port.container);
    const host = isFixed ? first : findFree(first, port.protocol, used);
    used.add(portKey(host, port.protocol));
    const place = { ...port, host };
    const canMove = isFixed && !isOnHost && port.bind === EVERYWHERE && lan !== LOOPBACK;
    const isBetter =
      canMove && findHolder(place, taken) !== null && findHolder({ ...place, bind: lan }, taken) === null;
    return isBetter ? { ...place, bind: lan } : place;
  });
}

function findFree(first: number, protocol: string, used: ReadonlySet<string>): number {
  for (let port = first; port <= LAST_PORT; port++) if (!used.has(portKey(port, protocol))) return port;
  for (let port = FIRST_FREE; port < first; port++) if (!used.has(portKey(port, protocol))) return port;
  throw new Error(`there is no free ${protocol} port on this server`);
}
