/** What the panel signs with a key of its authority, and its nodes check with the roots that they trust. */

export { openClaims } from "./open.ts";
export { type ClaimsSigner, signClaims } from "./sign.ts";
