/** Passwords: what is acceptable, how they are kept (argon2id) and compared. */
import { AppError } from "../../kernel/http/errors.ts";
import type { Asker } from "../../lib/fair-queue.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { FOR_PROGRAM } from "./hash-queue.ts";
import { computeHash } from "./hashing.ts";

export type { Asker } from "../../lib/fair-queue.ts";
export { FOR_PROGRAM, forAccount, forKnown, forVisitor } from "./hash-queue.ts";

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

/** Hashes with argon2id, when it is the turn of those for whom it is. Throws `too_many_requests` when too many wait already. */
export async function hashPassword(password: string, asker: Asker): Promise<string> {
  return (await computeHash({ password, hash: null }, asker)).hash;
}

// Compared against when no account exists, so that the answer takes as long either way.
let decoy: Promise<string> | null = null;

/**
 * True when the password belongs to `hash`. With no hash, or one of no known kind, it takes as long and answers false. It waits its turn
 * among those for whom it is. Throws `too_many_requests` when too many wait already.
 */
export async function verifyPassword(password: string, hash: string | null, asker: Asker): Promise<boolean> {
  if (password.length > PASSWORD_MAX) return false;
  decoy ??= hashPassword("no account has this password", FOR_PROGRAM);
  // Waited for in every case: the very first sign-in must not tell by its time either.
  const standIn = await decoy;
  const real = hash?.startsWith("$argon2id$") ? hash : null;
  const { matches } = await computeHash({ password, hash: real ?? standIn }, asker);
  return matches && real !== null;
}

/** Gives back the try that was taken for what is compared where too many wait for that: it says nothing about a password. */
export async function givingBack<T>(comparing: Promise<T>, giveBack: () => void): Promise<T> {
  try {
    return await comparing;
  } catch (error) {
    if (error instanceof AppError && error.status === 429) giveBack();
    throw error;
  }
}
