/** Outgoing HTTP to places that people name: every address is vetted, then exactly that one is connected to. */
import type { Clock } from "../../lib/clock.ts";
import type { LookUp } from "../names/index.ts";
import type { Cidr } from "./address.ts";
import { type Outgoing, OutgoingError, type OutgoingReply } from "./contract.ts";
import { createConnections, exchange } from "./exchange.ts";
import { onAddresses, type Reach, vetAddress } from "./find-addresses.ts";
import { parseTarget } from "./target.ts";

export { type Cidr, parseCidr } from "./address.ts";
export {
  type Outgoing,
  OutgoingError,
  type OutgoingFailure,
  type OutgoingReply,
  type OutgoingRequest,
} from "./contract.ts";
export { createDownloads, type Download, type Downloads } from "./download.ts";
export { askTexts, type ResolveTexts } from "./find-texts.ts";
export { describeForbiddenHost, describeHost } from "./forbidden-host.ts";
export { isPublicAddress } from "./ranges.ts";

const TIMEOUT_MS = 30_000;

export interface OutgoingOptions {
  clock: Pick<Clock, "monotonic" | "after">;
  /** Ranges off the public internet that may be reached all the same. */
  allowed: readonly Cidr[];
  /** The variable that holds them, for people who wonder. */
  allowedBy?: string;
  /** Ports on which this program listens; never reached on this machine. */
  ownPorts: ReadonlySet<number>;
  resolve?: LookUp;
  /** What leads to this machine; left out, what the system says. */
  isOwn?: Reach["isOwn"];
  /** Certificates to trust instead of the system's, PEM. */
  ca?: string;
}

/** The guarded client: resolves a name itself, refuses when any of its addresses is off limits, never follows redirects. */
export function createOutgoing({
  clock,
  allowed,
  allowedBy = "SERVICE_WEBHOOK_ALLOW_CIDRS",
  ownPorts,
  resolve,
  isOwn,
  ca,
}: OutgoingOptions): Outgoing {
  const connections = createConnections();
  const reach: Reach = { allowed, allowedBy, ownPorts, resolve, isOwn };

  return {
    checkUrl(url) {
      const target = parseTarget(url);
      if (target.literal) vetAddress(reach, target, target.literal, target.host);
    },
    async request(request): Promise<OutgoingReply> {
      const begun = clock.monotonic();
      const target = parseTarget(request.url);
      const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
      const ended = new AbortController();
      const { signal } = ended;
      const { promise: late, reject } = Promise.withResolvers<never>();
      const cancel = clock.after(timeoutMs, () => {
        reject(new OutgoingError("timeout", `There was no complete reply within ${timeoutMs / 1000} seconds.`));
        ended.abort();
      });
      const kept = request.reuse ? connections : null;
      const call = async (address: string) => {
        signal.throwIfAborted();
        return exchange(target, address, request, { connections: kept, ca, signal });
      };
      const send = onAddresses(reach, target, call, { of: request.asker, signal });
      try {
        const reply = await Promise.race([send, late]);
        return { ...reply, duration_ms: Math.round(clock.monotonic() - begun) };
      } finally {
        cancel();
      }
    },
  };
}
