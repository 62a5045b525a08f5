import { isIP } from "node:net";

/** Where the agent port of a panel is. */
export interface AgentEndpoint {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

const DEFAULT_PORT = 8443;

/** Reads `https://HOST[:PORT]`, port 8443 unless named. Null for anything else, also for a path, a query or a user. */
export function parseAgentUrl(text: string): AgentEndpoint | null {
  if (!/^https:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  const { hostname, host } = new URL(text);
  // The parser hides a port that is the usual one of the web.
  const port = /:(\d+)\/?$/.exec(text)?.[1];
  if (host === "" || Number(port) === 0) return null;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === undefined ? DEFAULT_PORT : Number(port) };
}

/** The URL of an endpoint, with its port. */
export const agentUrl = ({ host, port }: AgentEndpoint): string => `https://${bracketed(host)}:${port}`;

/** As it stands in a URL or a Host header. */
export const hostHeader = ({ host, port }: AgentEndpoint): string => `${bracketed(host)}:${port}`;

/** The name that TLS asks for; addresses are not asked for. */
export const serverName = ({ host }: AgentEndpoint): { servername?: string } =>
  isIP(host) === 0 ? { servername: host } : {};

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
