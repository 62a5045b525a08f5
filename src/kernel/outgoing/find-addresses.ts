import { type LookUp, lookUp, type NameAsker } from "../names/index.ts";
import { type Address, type Cidr, isWithin, parseAddress } from "./address.ts";
import { OutgoingError } from "./contract.ts";
import { describeBlock, isOwnAddress } from "./ranges.ts";
import type { Target } from "./target.ts";

/** How many addresses of a name are tried when they do not answer. */
const MAX_TRIES = 3;

/** What may be reached. */
export interface Reach {
  /** Ranges off the public internet that may be reached all the same. */
  allowed: readonly Cidr[];
  /** The variable that holds them, for people who wonder; empty where nobody can add to them. */
  allowedBy: string;
  /** Ports on which this program listens; never reached on this machine. */
  ownPorts: ReadonlySet<number>;
  /** Whether an admin named the place: then any port of this machine may be meant, also at its addresses of the public internet. */
  isNamed?: boolean;
  resolve?: LookUp | undefined;
  /** What leads to this machine; left out, what the system says. */
  isOwn?: typeof isOwnAddress | undefined;
}

/** Ports that whoever has an address on the public internet opens to all of it; a firewall may keep others from it, but not from this machine. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Throws OutgoingError `blocked_address` when an address of a target may not be connected to. `text` is its spelling. */
export function vetAddress(reach: Reach, target: Target, address: Address, text: string) {
  const { allowed, allowedBy, ownPorts, isNamed = false, isOwn = isOwnAddress } = reach;
  const block = describeBlock(address, allowed);
  const where = text === target.host ? text : `${target.host} (${text})`;
  const remedy = allowedBy === "" ? "" : ` The owner of this server can allow it with ${allowedBy}.`;
  if (block)
    throw new OutgoingError(
      "blocked_address",
      `${where} is ${block.what}, which is not called.${block.canAllow ? remedy : ""}`,
    );
  const isOpen = isNamed || WEB_PORTS.has(target.port) || allowed.some((range) => isWithin(address, range));
  if ((isOpen && !ownPorts.has(target.port)) || !isOwn(address)) return;
  if (ownPorts.has(target.port))
    throw new OutgoingError("blocked_address", `${where}:${target.port} is this program itself, which is not called.`);
  throw new OutgoingError(
    "blocked_address",
    `${where}:${target.port} is a port of this machine that is none of the web, which is not called.${remedy}`,
  );
}

/** The addresses to connect to, all of them vetted. Throws OutgoingError `dns` or `blocked_address`. */
export async function findAddresses(reach: Reach, target: Target, asker?: NameAsker): Promise<string[]> {
  if (target.literal) {
    const text = target.host.endsWith("localhost") ? "127.0.0.1" : target.host;
    vetAddress(reach, target, target.literal, text);
    return [text];
  }
  const answers = await (reach.resolve ?? lookUp)(target.host, asker).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new OutgoingError("dns", `${target.host} was not found: ${why}.`);
  });
  if (answers.length === 0) throw new OutgoingError("dns", `${target.host} has no address.`);
  for (const text of answers) {
    const address = parseAddress(text);
    if (!address) throw new OutgoingError("dns", `${target.host} has an address that cannot be read.`);
    vetAddress(reach, target, address, text);
  }
  return answers.slice(0, MAX_TRIES);
}

/**
 * Lets `call` try one vetted address of a target after another, until one does not fail to connect. Throws what the last
 * one threw, and at once anything else.
 */
export async function onAddresses<T>(
  reach: Reach,
  target: Target,
  call: (address: string) => Promise<T>,
  asker?: NameAsker,
): Promise<T> {
  const addresses = await findAddresses(reach, target, asker);
  for (const [index, address] of addresses.entries()) {
    try {
      return await call(address);
    } catch (error) {
      const isLast = index === addresses.length - 1;
      if (isLast || !(error instanceof OutgoingError) || error.reason !== "connect") throw error;
    }
  }
  throw new OutgoingError("connect", `${target.host} did not answer.`);
}
