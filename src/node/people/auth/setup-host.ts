import { isIP } from "node:net";
import { isClaimRequired } from "./claim.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Names that no registry of the public internet hands out, so that nobody far away can point one at this server. */
const PRIVATE_NAME = /^(?:[^.]+|.+\.(?:localhost|local|lan|internal|home\.arpa))$/;

/** The name in a `Host` or an origin, without port and final dot. */
function nameIn(host: string): string {
  const address = host.includes("://") ? host : `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, "") : "";
}

function isOwnHost({ config, host: machine }: Pick<Needs, "config" | "host">, host: string): boolean {
  const name = nameIn(host);
  if (name === "") return false;
  if (isIP(name.replace(/^\[|\]$/g, "")) !== 0 || PRIVATE_NAME.test(name)) return true;
  const configured = config.webauthn_rp_id.trim().toLowerCase();
  if (configured !== "" && (name === configured || name.endsWith(`.${configured}`))) return true;
  return [machine.hostname().toLowerCase(), ...config.allowed_origins.map(nameIn)].includes(name);
}

/**
 * Refuses to be claimed under a name that is not ours: only an address, a name of the local network or a configured one is. A
 * page of another site can let its own name point here for a moment (DNS rebinding); to the browser this server then is
 * that site, and what the page sends counts as our own page's. Whoever has the token of the installer may come by any
 * name. Throws `setup_host_refused`.
 */
export function assertSetupHost(needs: Needs, request: Request): void {
  const host = request.headers.get("host") ?? "";
  if (needs.users.count() > 0 || isClaimRequired(needs.config.data_dir) || isOwnHost(needs, host)) return;
  throw fail("setup_host_refused", { host: nameIn(host) });
}
