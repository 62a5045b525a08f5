import { type ClaimsSigner, signClaims } from "../signed-claims/index.ts";
import type { LicenseClaims } from "./claims.ts";

/** A license that nodes can check. */
export const signLicense = (claims: LicenseClaims, signer: ClaimsSigner): string => signClaims(claims, signer);
