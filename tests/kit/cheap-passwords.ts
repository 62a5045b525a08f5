/**
 * Loaded before tests (`--preload`) that are about something else than passwords: an argon2id hash that costs next to nothing
 * takes the place of the one that takes a moment by design, and most of the processor of such a run. What was hashed with another
 * cost is compared as ever. Tests of the hash itself import `real-passwords.ts` and run without this.
 */
import { mock } from "bun:test";
import type { Asker } from "../../src/lib/fair-queue.ts";
import * as hashing from "../../src/shared/password/hashing.ts";
import type { HashAnswer, HashQuestion } from "../../src/shared/password/messages.ts";

const CHEAP = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 } as const;
const IS_CHEAP = /^\$argon2id\$v=19\$m=8,t=1,/;
const { computeHash: computeReal } = hashing;

async function computeHash({ password, hash }: HashQuestion, asker: Asker): Promise<HashAnswer> {
  if (hash === null) return { hash: await Bun.password.hash(password, CHEAP), matches: true };
  return IS_CHEAP.test(hash)
    ? { hash, matches: await Bun.password.verify(password, hash) }
    : computeReal({ password, hash }, asker);
}

process.env["ORRERY_TEST_PASSWORDS"] = "cheap";
await mock.module("../../src/shared/password/hashing.ts", () => ({ ...hashing, computeHash }));
