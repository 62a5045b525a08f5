import { PUBLIC_URL_SETTING } from "../../../monitoring/alert-channels/index.ts";
import type { Needs } from "../needs.ts";
import { readAddresses } from "./addresses.ts";

/** Where the panel sends people back to. */
export const CALLBACK_PATH = "/api/oauth/callback";

const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "[::]", "::"]);
const MAX_URLS = 20;

/**
 * Every address of the dashboard that this node knows to be its own, as the panel is told them. Never taken from a request: its
 * `Host` is what a stranger writes there.
 */
export function readSignInUrls({ settings, host, listening }: Pick<Needs, "settings" | "host" | "listening">) {
  const isEverywhere = EVERYWHERE.has(listening.host);
  const { ip_addresses } = readAddresses(host.interfaces(), null);
  const reached = ip_addresses.map((address) => (address.includes(":") ? `[${address}]` : address));
  const named = isEverywhere
    ? ["localhost", "127.0.0.1", host.hostname(), `${host.hostname()}.local`, ...reached]
    : [listening.host, ...(listening.host.startsWith("127.") ? ["localhost"] : [])];
  const own = settings.get(PUBLIC_URL_SETTING).replace(/\/+$/, "");
  const bases = [...(own === "" ? [] : [own]), ...named.map((name) => `http://${name}:${listening.port}`)];
  return [...new Set(bases)].slice(0, MAX_URLS).map((base) => `${base}${CALLBACK_PATH}`);
}
