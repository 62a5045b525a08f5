import { hostname } from "node:os";
import { plainAddresses } from "../../../kernel/host/addresses.ts";
import type { PanelConfig } from "../../config.ts";

const DEFAULT_PORT = 8443;

/** Where to listen: beside the dashboard unless told otherwise, also when that takes a free port. */
export function listenOn({ agent_listen, listen }: PanelConfig): { host: string; port: number } {
  const { host, port } = agent_listen ?? { ...listen, port: listen.port === 0 ? 0 : DEFAULT_PORT };
  return { host: plainHost(host), port };
}

const plainHost = (host: string): string => host.replace(/^\[|\]$/g, "");

/**
 * Every name and address under which a node may reach the port; they stand in its certificate. Listening on all addresses,
 * the machine's own ones are among them, without those of one link: nobody can put their zone into a certificate.
 */
export function agentNames(config: PanelConfig): string[] {
  const { agent_names, public_url } = config;
  const { host } = listenOn(config);
  const isAny = host === "0.0.0.0" || host === "::";
  const own = isAny ? [hostname(), ...plainAddresses().map(({ address }) => address)] : [host];
  const people = public_url === "" ? [] : [plainHost(new URL(public_url).hostname)];
  return [...new Set([...agent_names, ...people, "localhost", "127.0.0.1", ...own])];
}
