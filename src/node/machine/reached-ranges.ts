import { isIP } from "node:net";
import { join } from "node:path";
import { ownAddresses } from "../../kernel/host/addresses.ts";
import { readText } from "./proc-file.ts";

/** Addresses that the server itself uses, as a range or a single one. */
export interface ReachedRange {
  range: string;
  /** The interface that leads there; null for a name server, whichever way it is asked. */
  by: string | null;
}

const REJECT = 0x200;
/** Shorter ones stand for everything that has no route of its own. */
const SHORTEST = 8;
const RESOLVERS = ["etc/resolv.conf", "run/systemd/resolve/resolv.conf", "run/NetworkManager/no-stub-resolv.conf"];

const isRoute = (by: string | undefined, flags: string | undefined, bits: number): by is string =>
  by !== undefined && by !== "lo" && bits >= SHORTEST && (Number.parseInt(flags ?? "0", 16) & REJECT) === 0;

/** The ranges in `/proc/net/route`. */
export function parseRoutes(text: string): ReachedRange[] {
  return text.split("\n").flatMap((line) => {
    const [by, destination = "", , flags, , , , mask = ""] = line.split(/\s+/, 8);
    if (!/^[0-9A-F]{8}$/.test(destination) || !/^[0-9A-F]{8}$/.test(mask)) return [];
    const bits = Number.parseInt(mask, 16).toString(2).replaceAll("0", "").length;
    // Words in the byte order of the machine, which is little-endian here.
    const range = `${Buffer.from(destination, "hex").reverse().join(".")}/${bits}`;
    return isRoute(by, flags, bits) ? [{ range, by }] : [];
  });
}

/** The ranges in `/proc/net/ipv6_route`, without those that every link has. */
export function parseRoutes6(text: string): ReachedRange[] {
  return text.split("\n").flatMap((line) => {
    const [destination = "", prefix = "", , , , , , , flags, by] = line.trim().split(/\s+/, 10);
    const bits = Number.parseInt(prefix, 16);
    if (!/^[0-9a-f]{32}$/.test(destination) || /^f(e8|f)/.test(destination) || !isRoute(by, flags, bits)) return [];
    return [{ range: `${destination.match(/.{4}/g)?.join(":")}/${bits}`, by }];
  });
}

const parseNameServers = (text: string): ReachedRange[] =>
  [...text.matchAll(/^\s*nameserver\s+([^\s%]+)/gm)].flatMap(([, range = ""]) =>
    isIP(range) === 0 ? [] : [{ range, by: null }],
  );

/** What the server below `root` has and reaches by routes of their own, and whom it asks for names. */
export function readReached(root: string): ReachedRange[] {
  const read = (path: string) => readText(join(root, path)) ?? "";
  const folder = root === "/" ? "proc/net" : "proc/1/net";
  // Seen from another root, our own are those of our container.
  const own = root === "/" ? ownAddresses().filter(({ isInternal }) => !isInternal) : [];
  return [
    ...parseRoutes(read(`${folder}/route`)),
    ...parseRoutes6(read(`${folder}/ipv6_route`)),
    ...own
      .filter(({ address }) => !address.startsWith("fe80:"))
      .map((one): ReachedRange => ({ range: one.address, by: one.interface })),
    ...RESOLVERS.flatMap((path) => parseNameServers(read(path))),
  ];
}
