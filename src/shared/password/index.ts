/** Passwords: what is acceptable, how they are kept (argon2id) and compared. */
import { availableParallelism } from "node:os";
import { createGate } from "../../lib/gate.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;

/** Says what is wrong with a new password, or null. */
export function checkPassword(password: string, username: string): string | null {
  if (password.length < PASSWORD_MIN) return `must have at least ${PASSWORD_MIN} characters`;
  if (password.length > PASSWORD_MAX) return `must have at most ${PASSWORD_MAX} characters`;
  const plain = password.toLowerCase();
  if (plain === username.toLowerCase()) return "must not be the user name";
  if (COMMON_PASSWORDS.has(plain)) return "is one of the passwords that attackers try first";
  if (new Set(plain).size < 3) return "repeats the same characters";
  return null;
}

/**
 * How many hashes are computed at a time on a machine with `cores`: two, but always one less than the runtime has threads for
 * such work (one a core), because those also read files, and the thread that answers requests wants a core too.
 */
export function parallelHashes(cores: number): number {
  return Math.max(1, Math.min(2, cores - 1));
}

// For the whole process: the rest queue.
const gate = createGate(parallelHashes(availableParallelism()));

/** Hashes with argon2id; about 19 MB and 2 passes, the OWASP minimum that a small server still answers quickly with. */
export function hashPassword(password: string): Promise<string> {
  return gate(() => Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 }));
}

// Compared against when no account exists, so that the answer takes as long either way.
let decoy: Promise<string> | null = null;

/** True when the password belongs to `hash`. With no hash, or one of no known kind, it takes as long and answers false. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  if (password.length > PASSWORD_MAX) return false;
  decoy ??= hashPassword("no account has this password");
  // Waited for in every case: the very first sign-in must not tell by its time either.
  const standIn = await decoy;
  const real = hash?.startsWith("$argon2id$") ? hash : null;
  const matches = await gate(() => Bun.password.verify(password, real ?? standIn));
  return matches && real !== null;
}
