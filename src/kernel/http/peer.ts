import { isIP, isIPv6 } from "node:net";
import { plainAddress } from "./plain-address.ts";
import { isTrusted } from "./trusted-proxies.ts";

/** The parts of a request's context that tell where it comes from. */
export interface PeerContext {
  request: Request;
  server: { requestIP(request: Request): { address: string } | null } | null;
}

/** The other end of a request as far as it can be believed. */
export interface Peer {
  /** Address of the client; `unknown` when the connection is gone already. */
  ip: string;
  /** True when the client reached us, or the proxy before us, over TLS. */
  isHttps: boolean;
}

/**
 * Who sent a request. `X-Forwarded-For` and `-Proto` count only when the connection itself comes from a trusted proxy;
 * then the client is the right-most address that is not a trusted proxy: what stands left of it anybody can write.
 */
export function describePeer({ request, server }: PeerContext, trustedProxies: readonly string[]): Peer {
  const isTls = request.url.startsWith("https:");
  // Requests without a server are made in this very process.
  const peer = server ? (plainAddress(server.requestIP(request)?.address ?? "") ?? "unknown") : "127.0.0.1";
  if (!isTrusted(trustedProxies, peer)) return { ip: peer, isHttps: isTls };
  const isHttps = isTls || request.headers.get("x-forwarded-proto") === "https";
  return { ip: clientBehind(peer, request.headers.get("x-forwarded-for"), trustedProxies), isHttps };
}

/** The client for whom a trusted proxy asks, by its `X-Forwarded-For`; the proxy itself where it names none. */
export function clientBehind(proxy: string, forwardedFor: string | null, trustedProxies: readonly string[]): string {
  for (const part of forwardedFor?.split(",").toReversed() ?? []) {
    const address = plainAddress(part);
    if (address === null) break;
    if (!isTrusted(trustedProxies, address)) return address;
  }
  return proxy;
}

/**
 * What rate limits count by: the address, or for IPv6 its /64 network, because one customer gets a whole one and could
 * come from a new address each time.
 */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? `${firstGroups(ip, 4)}::/64` : ip;
}

/**
 * The provider that an address is most likely of, as a /32 network of IPv6 or a /16 of IPv4: what one customer with very many
 * networks cannot leave.
 */
export function providerOf(ip: string): string {
  if (isIPv6(ip)) return `${firstGroups(ip, 2)}::/32`;
  return isIP(ip) === 4 ? `${ip.split(".").slice(0, 2).join(".")}.0.0/16` : ip;
}

/**
 * The networks that an address is in, the widest first: the provider's, a /48 of IPv6 or a /24 of IPv4, which one customer may well have,
 * and the one that limits count by. Where it shares with others it does so as a part of each.
 */
export function networksAround(ip: string): [provider: string, site: string, network: string] {
  const network = networkOf(ip);
  const ofIPv4 = isIP(ip) === 4 ? `${ip.split(".").slice(0, 3).join(".")}.0/24` : ip;
  return [providerOf(ip), isIPv6(ip) ? `${firstGroups(ip, 3)}::/48` : ofIPv4, network];
}

function firstGroups(ip: string, count: number): string {
  const [head = "", tail] = ip.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, count);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
