import { type Outgoing, OutgoingError } from "../../../kernel/outgoing/index.ts";
import { fail } from "./contract.ts";

const HERE = ["localhost", "127.0.0.1", "[::1]"];
/** Of one provider that serves many companies: under these names it lets in the people of all. */
const EVERYBODY = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/i;

/** True for a provider on this machine, the only place that is called without encryption. */
export function isLoopback(issuer: string): boolean {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  return url?.protocol === "http:" && HERE.includes(url.hostname);
}

/** True for an address that browsers may be sent to for signing in: encrypted, or on this machine. */
export function isUsableSignOn(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return (url?.protocol === "https:" || isLoopback(address)) && url?.hash === "";
}

/** Throws `issuer_unusable` for an address at which no provider of ours can be, or its metadata. */
export function checkIssuer(outgoing: Outgoing, issuer: string, field: "issuer" | "metadata_url" = "issuer"): void {
  const refuse = (reason: string) => fail("issuer_unusable", { field, reason });
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (!url || (url.protocol !== "https:" && !isLoopback(issuer))) throw refuse("it has to begin with https://.");
  const isBare = url.hash === "" && (field === "metadata_url" || url.search === "");
  if (!isBare) throw refuse("it has nothing after a ? or #.");
  if (field === "issuer" && EVERYBODY.test(issuer))
    throw refuse("it stands for the people of all companies. Use the one with the id of your own directory.");
  try {
    outgoing.checkUrl(issuer);
  } catch (error) {
    if (error instanceof OutgoingError) throw refuse(error.message);
    throw error;
  }
}
