/** A user name and a password, as a program sends them. */
export interface Credentials {
  username: string;
  password: string;
}

const MAX_HEADER = 1_024;

/** What an Authorization header of the scheme Basic says, in UTF-8 (RFC 7617); null for any other, and for none. */
export function readBasic(header: string | null): Credentials | null {
  if (header === null || header.length > MAX_HEADER) return null;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon === -1 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
