/** Mail addresses, in the one form in which they are kept and compared. */
import { domainToASCII } from "node:url";
import { kernelFail } from "../kernel/http/errors.ts";
import { EMAIL_EXAMPLE, isEmail, isNewEmail } from "./schemas.ts";

/** A domain in small letters as the DNS has it, without the dot at its end; null for what no domain can be. */
function plainDomain(text: string): string | null {
  const isAscii = /^[\0-\x7f]*$/.test(text);
  // The parser below takes what stands before some signs for the whole domain.
  if (!isAscii && /[\0-\x7f]/.test(text.replace(/[a-z0-9._-]/g, ""))) return null;
  const domain = isAscii ? text : domainToASCII(text);
  return domain.replace(/\.+$/, "") || null;
}

/**
 * The form by which an address is kept and compared: letters of full width and the like as plain ones, small letters, the domain in
 * the letters of the DNS and without a dot at its end. Null for what is no address.
 */
export function readAddress(text: string): string | null {
  if (!isEmail(text)) return null;
  // Small letters may have to be put together again.
  const plain = text.normalize("NFKC").toLowerCase().normalize("NFKC");
  const at = plain.lastIndexOf("@");
  const domain = plainDomain(plain.slice(at + 1));
  const address = `${plain.slice(0, at)}@${domain}`;
  return domain !== null && isEmail(address) ? address : null;
}

/** The form by which the address that an account is to have is kept and compared. Throws `invalid_request`. */
export function requireAddress(text: string, field = "email"): string {
  const address = readAddress(text);
  if (address === null || !isNewEmail(address)) throw kernelFail("invalid_request", { field, reason: EMAIL_EXAMPLE });
  return address;
}

/** The same for what is looked for: what is no address stands for nobody. */
export const lookedFor = (text: string): string => readAddress(text) ?? text.toLowerCase();

/** The forms in which an address may be kept: as it was written, where it was before there was one form, and the one of now. */
export const formsOf = (text: string): string[] => [...new Set([text.toLowerCase(), lookedFor(text)])];

/** What stands in the place of the address of an account that has none: no mail server is ever there (RFC 2606). */
export const standInFor = (accountId: string): string => `${accountId.toLowerCase()}@unproven.invalid`;

/** True for an address at which no mail can arrive, such as what stands in for one. */
export const isStandIn = (address: string): boolean => address.endsWith(".invalid");
