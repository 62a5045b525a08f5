import { isIP } from "node:net";

/** Who passkeys are made for at the address that the browser shows. */
export interface RelyingParty {
  rp_id: string;
  origin: string;
}

export type PasskeySupport = { enabled: true; rp: RelyingParty } | { enabled: false; reason: string };

/** The configured id when the host is it or lies below it, else the host itself (Web Authentication, §5.1.3). */
export function chooseRpId(host: string, configured: string): string {
  const id = configured.trim().toLowerCase();
  return id !== "" && (host === id || host.endsWith(`.${id}`)) ? id : host;
}

/** Whether passkeys work for the address of this request; browsers want https (or localhost) and a name. */
export function readPasskeySupport(request: Request, isHttps: boolean, configured: string): PasskeySupport {
  const scheme = isHttps ? "https" : "http";
  const address = `${scheme}://${request.headers.get("host") ?? new URL(request.url).host}`;
  if (!URL.canParse(address)) return { enabled: false, reason: "the address of this page cannot be read." };
  const { hostname, origin } = new URL(address);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return { enabled: false, reason: "they need a host name, and this page was opened by its bare address." };
  }
  if (scheme === "http" && hostname !== "localhost" && !hostname.endsWith(".localhost")) {
    return { enabled: false, reason: "they need https, and this page was opened over plain http." };
  }
  return { enabled: true, rp: { rp_id: chooseRpId(hostname, configured), origin } };
}
