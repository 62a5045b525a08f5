import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { constantTimeEqual } from "../../../lib/digest.ts";

/** Where the installer leaves the one-time token that protects setup. */
export const claimTokenPath = (dataDir: string): string => join(dataDir, "claim-token");

/** True while setup needs the token that the installer printed. */
export function isClaimRequired(dataDir: string): boolean {
  return existsSync(claimTokenPath(dataDir));
}

/** True when no token is needed or `offered` is it. */
export function claimMatches(dataDir: string, offered: string | undefined): boolean {
  if (!isClaimRequired(dataDir)) return true;
  const token = readFileSync(claimTokenPath(dataDir), "utf8").trim();
  // An empty file is an installer cut short, not a token that anybody could guess.
  return token !== "" && offered !== undefined && constantTimeEqual(token, offered.trim());
}

/** Forgets the token once the node has its owner. */
export function dropClaimToken(dataDir: string): void {
  rmSync(claimTokenPath(dataDir), { force: true });
}
