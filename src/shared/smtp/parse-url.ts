import type { MailServer } from "./index.ts";

const SCHEMES: Record<string, { security: MailServer["security"]; port: number }> = {
  "smtps:": { security: "tls", port: 465 },
  "smtp:": { security: "starttls", port: 587 },
  "smtp+plain:": { security: "none", port: 25 },
};

/**
 * Reads `smtps://user:password@mail.example.org` (port 465), `smtp://…` (STARTTLS, port 587) or `smtp+plain://…` (no
 * encryption, port 25); `?verify=no` takes any certificate. Throws an Error for people.
 */
export function parseMailServer(text: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url && SCHEMES[url.protocol];
  if (!url || !scheme || url.hostname === "" || !["", "/"].includes(url.pathname))
    throw new Error(
      "must look like smtp://user:password@mail.example.org, with smtps for a port that begins encrypted",
    );
  if ((url.username === "") !== (url.password === "")) throw new Error("must name a user and a password, or neither");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? scheme.port : Number(url.port),
    security: scheme.security,
    login:
      url.username === ""
        ? null
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    verifyCertificate: url.searchParams.get("verify") !== "no",
  };
}
