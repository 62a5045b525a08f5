/** A port that an app needs, before it has a place on the host. */
export interface WantedPort {
  service: string;
  container: number;
  protocol: "tcp" | "udp";
  purpose: string;
  bind: string;
  /** Host port that the admin or the manifest prefers. */
  wanted: number | null;
}

/** A port with its place on the host. */
export interface PlacedPort extends Omit<WantedPort, "wanted"> {
  host: number;
}

const FIRST_FREE = 1024;
const LAST_PORT = 65_535;
/** 80 becomes 8080, 443 becomes 8443: what people expect of an app that cannot have the real one. */
const LOW_PORT_SHIFT = 8000;

/** Key of a port in a set of taken ones. */
export const portKey = (port: number, protocol: string): string => `${port}/${protocol}`;

/**
 * Gives each port a place: the wanted one if it is free, else the next free one above it. `taken` holds `portKey`s.
 * Throws an Error when there is no free port left.
 */
export function placePorts(ports: readonly WantedPort[], taken: ReadonlySet<string>): PlacedPort[] {
  const used = new Set(taken);
  return ports.map(({ wanted, ...port }) => {
    const first = wanted ?? (port.container < FIRST_FREE ? port.container + LOW_PORT_SHIFT : port.container);
    const host = findFree(first, port.protocol, used);
    used.add(portKey(host, port.protocol));
    return { ...port, host };
  });
}

function findFree(first: number, protocol: string, used: ReadonlySet<string>): number {
  for (let port = first; port <= LAST_PORT; port++) if (!used.has(portKey(port, protocol))) return port;
  for (let port = FIRST_FREE; port < first; port++) if (!used.has(portKey(port, protocol))) return port;
  throw new Error(`there is no free ${protocol} port on this server`);
}
