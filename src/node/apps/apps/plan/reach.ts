import { isIP } from "node:net";
import { ownAddresses } from "../../../../kernel/host/addresses.ts";
import type { Manifest } from "../../templates/index.ts";
import type { AppConfig, Reach } from "../contract.ts";
import type { Own } from "../needs.ts";
import { LOOPBACK } from "./ports.ts";

/** Where somebody sits who wants to open an app. */
export interface Visitor {
  /** Null: nobody can say, as for what a panel asks. */
  near: Reach | null;
  ip: string;
}

/** Name of a port in what an admin chose. */
export const portName = ({ service, container }: { service: string; container: number }): string =>
  `${service}:${container}`;

const isLoopback = (address: string): boolean => address.startsWith("127.") || address === "::1";

/** True for the names under which only this machine itself opens a page. */
function isLocalName(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}

/**
 * Where a caller sits. One of this machine's own addresses is this machine, unless the page was opened by a name that
 * others use: then a proxy stands between us and somebody who may be anywhere. `host` is the header of that name.
 */
export function visitorOf(ip: string, host: string | null): Visitor {
  if (isIP(ip) === 0) return { near: null, ip };
  const isOwn = isLoopback(ip) || ownAddresses().some(({ address }) => address === ip);
  return { near: isOwn && (host === null || isLocalName(host)) ? "loopback" : "lan", ip };
}

/**
 * Who may reach each port, by its name: the admin's word for it or for all, else the template's, else that of the setting,
 * which is the network of whoever asks unless somebody chose another. Where nobody can say, only this server.
 */
export function resolveReach(
  { settings }: Pick<Own, "settings">,
  manifest: Manifest,
  config: AppConfig,
  visitor: Visitor | null,
): Record<string, Reach> {
  const chosen = settings.get("apps.publish_default");
  const usual = chosen === "lan" || chosen === "loopback" ? chosen : (visitor?.near ?? "loopback");
  return Object.fromEntries(
    manifest.ports.map((port) => {
      const declared = port.publish === "proxy" ? usual : port.publish === "loopback" ? "loopback" : "lan";
      // What listens on the server itself is reached as the server is.
      if (port.host_network === true) return [portName(port), "lan"];
      return [portName(port), config.reach?.[portName(port)] ?? config.publish ?? declared];
    }),
  );
}

/** How far a place on the host reaches. */
export const reachOf = (bind: string): Reach => (bind === LOOPBACK || bind === "::1" ? "loopback" : "lan");
