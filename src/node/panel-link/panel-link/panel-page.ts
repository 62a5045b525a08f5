import { isIP } from "node:net";
import { plainAddress } from "../../../kernel/http/plain-address.ts";
import { type LookUp, lookUp } from "../../../kernel/names/index.ts";
import { createOutgoing, isPublicAddress, type OutgoingReply, parseCidr } from "../../../kernel/outgoing/index.ts";
import { isWebAddress } from "../../../shared/agent-protocol/index.ts";
import type { NodeBase, PageRequest } from "../../base.ts";

/** Where a panel was met, by which the address that it tells for people is judged. */
export interface Met {
  agent_url: string;
  /** The address at which it proved itself last; null before that. */
  reached: string | null;
}

const LOOPBACK = ["127.0.0.1", "::1"];

const isLocal = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "") : "";
}

/**
 * The origin that an address of the panel's pages means; null for what is none, and for one that leads off the public internet where the
 * panel was not met at that very host. A name is not looked up.
 */
export function pageOrigin(told: string, agentUrl: string): string | null {
  if (!isWebAddress(told)) return null;
  const { origin, protocol, pathname, search, hash } = new URL(told);
  if (pathname !== "/" || search !== "" || hash !== "") return null;
  const host = hostOf(told);
  if (host === hostOf(agentUrl)) return origin;
  if (isIP(host) === 0) return isLocal(host) ? null : origin;
  return protocol === "https:" && isPublicAddress(host) ? origin : null;
}

/** The same of what a panel tells now: without TLS only of a name that leads to where the panel was met. */
export async function takePage(told: string, met: Met, resolve: LookUp = lookUp): Promise<string | null> {
  const origin = pageOrigin(told, met.agent_url);
  if (origin === null || origin.startsWith("https:") || hostOf(origin) === hostOf(met.agent_url)) return origin;
  const own = ownAddresses(met);
  return (await resolve(hostOf(origin)).catch(() => [])).some((address) => own.includes(address)) ? origin : null;
}

/**
 * Reads the address of the panel's pages out of its answers: the origin where it is another one than `known`, else null. What is refused
 * is judged, and put into the log, once.
 */
export function createPageReader({ log }: Pick<NodeBase, "log">) {
  let refused: string | null = null;
  return async (told: string | undefined, known: string | null, met: Met): Promise<string | null> => {
    if (told === undefined || told === known || told === refused) return null;
    const origin = await takePage(told, met);
    refused = origin === null ? told : null;
    if (origin === null) log.warn("the panel sent an address for people that is not taken; the former one stays", {});
    return origin === known ? null : origin;
  };
}

/**
 * Asks the panel's pages at `origin`, which leads to the public internet or to where the panel was met, whatever its name means today.
 * Throws OutgoingError.
 */
export function askPage(
  { clock, ownPorts }: Pick<NodeBase, "clock" | "ownPorts">,
  { origin, ...met }: Met & { origin: string },
  path: string,
  request: PageRequest,
  resolve: LookUp = lookUp,
): Promise<OutgoingReply> {
  const own = ownAddresses(met);
  const outgoing = createOutgoing({
    clock,
    ownPorts,
    allowed: own.map(parseCidr),
    allowedBy: "",
    async resolve(host, asker) {
      const all = await resolve(host, asker);
      const known = all.filter((address) => own.includes(address));
      return known.length > 0 ? known : all;
    },
  });
  return outgoing.request({ ...request, url: new URL(path, origin).href });
}

/** The addresses of the panel itself, as far as they are certain: a name leads wherever its owner says. */
function ownAddresses({ agent_url, reached }: Met): string[] {
  const host = hostOf(agent_url);
  const named = isLocal(host) ? LOOPBACK : [plainAddress(host)];
  return [...named, reached].filter((address) => address !== null);
}
