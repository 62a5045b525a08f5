import { createSeal } from "../../src/kernel/seal.ts";
import { createIds } from "../../src/lib/ids.ts";
import { type Authority, type AuthorityStore, openAuthority } from "../../src/panel/agents/pki/index.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";

/** Keeps the record of an authority in memory, under the same rules as a table. */
export function createMemoryAuthorityStore(): AuthorityStore & { text(): string } {
  let stored: { text: string; version: number } | null = null;
  return {
    text: () => stored?.text ?? "",
    load: async () => stored,
    save: async (text, expected) => {
      if ((stored?.version ?? 0) !== expected) return false;
      stored = { text, version: expected + 1 };
      return true;
    },
  };
}

export const TEST_SEAL = createSeal(new Uint8Array(32).fill(7));

/** An authority made at the clock's time. */
export function createTestAuthority(
  clock: FakeClock = createFakeClock(),
  store: AuthorityStore = createMemoryAuthorityStore(),
): Promise<Authority> {
  return openAuthority({ store, seal: TEST_SEAL, clock, ids: createIds(clock.now) });
}
