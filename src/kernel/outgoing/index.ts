/** Outgoing HTTP to places that people name: every address is vetted, then exactly that one is connected to. */
import { lookup } from "node:dns/promises";
import type { Clock } from "../../lib/clock.ts";
import { type Address, type Cidr, parseAddress } from "./address.ts";
import { type Outgoing, OutgoingError, type OutgoingReply, type OutgoingRequest } from "./contract.ts";
import { createConnections, type Exchange, exchange } from "./exchange.ts";
import { describeBlock, isOwnAddress } from "./ranges.ts";
import { parseTarget, type Target } from "./target.ts";

export { type Cidr, parseCidr } from "./address.ts";
export {
  type Outgoing,
  OutgoingError,
  type OutgoingFailure,
  type OutgoingReply,
  type OutgoingRequest,
} from "./contract.ts";

const TIMEOUT_MS = 30_000;
/** How many addresses of a name are tried when they do not answer. */
const MAX_TRIES = 3;

/** All addresses of a name, as text. */
export type Resolve = (host: string) => Promise<string[]>;

const askSystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface OutgoingOptions {
  clock: Pick<Clock, "monotonic" | "after">;
  /** Ranges off the public internet that may be reached all the same. */
  allowed: readonly Cidr[];
  /** Ports on which this program listens; never reached on this machine. */
  ownPorts: ReadonlySet<number>;
  resolve?: Resolve;
  /** Certificates to trust instead of the system's, PEM. */
  ca?: string;
}

/** The guarded client: resolves a name itself, refuses when any of its addresses is off limits, never follows redirects. */
export function createOutgoing({ clock, allowed, ownPorts, resolve = askSystem, ca }: OutgoingOptions): Outgoing {
  const connections = createConnections();

  function vet(target: Target, address: Address, text: string): void {
    const block = describeBlock(address, allowed);
    const where = text === target.host ? text : `${target.host} (${text})`;
    if (block) {
      const remedy = block.canAllow ? " The owner of this server can allow it with SERVICE_WEBHOOK_ALLOW_CIDRS." : "";
      throw new OutgoingError("blocked_address", `${where} is ${block.what}, which is not called.${remedy}`);
    }
    if (ownPorts.has(target.port) && isOwnAddress(address)) {
      throw new OutgoingError(
        "blocked_address",
        `${where}:${target.port} is this program itself, which is not called.`,
      );
    }
  }

  /** The addresses to connect to, all of them vetted. */
  async function find(target: Target): Promise<string[]> {
    if (target.literal) {
      const text = target.host.endsWith("localhost") ? "127.0.0.1" : target.host;
      vet(target, target.literal, text);
      return [text];
    }
    const answers = await resolve(target.host).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new OutgoingError("dns", `${target.host} was not found: ${why}.`);
    });
    if (answers.length === 0) throw new OutgoingError("dns", `${target.host} has no address.`);
    for (const text of answers) {
      const address = parseAddress(text);
      if (!address) throw new OutgoingError("dns", `${target.host} has an address that cannot be read.`);
      vet(target, address, text);
    }
    return answers.slice(0, MAX_TRIES);
  }

  async function send(target: Target, request: OutgoingRequest, signal: AbortSignal): Promise<Exchange> {
    const addresses = await find(target);
    for (const [index, address] of addresses.entries()) {
      signal.throwIfAborted();
      try {
        return await exchange(target, address, request, {
          connections: request.reuse ? connections : null,
          ca,
          signal,
        });
      } catch (error) {
        const isLast = index === addresses.length - 1;
        if (isLast || !(error instanceof OutgoingError) || error.reason !== "connect") throw error;
      }
    }
    throw new OutgoingError("connect", `${target.host} did not answer.`);
  }

  return {
    checkUrl(url) {
      const target = parseTarget(url);
      if (target.literal) vet(target, target.literal, target.host);
    },
    async request(request): Promise<OutgoingReply> {
      const begun = clock.monotonic();
      const target = parseTarget(request.url);
      const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
      const ended = new AbortController();
      const { promise: late, reject } = Promise.withResolvers<never>();
      const cancel = clock.after(timeoutMs, () => {
        reject(new OutgoingError("timeout", `There was no complete reply within ${timeoutMs / 1000} seconds.`));
        ended.abort();
      });
      try {
        const reply = await Promise.race([send(target, request, ended.signal), late]);
        return { ...reply, duration_ms: Math.round(clock.monotonic() - begun) };
      } finally {
        cancel();
      }
    },
  };
}
