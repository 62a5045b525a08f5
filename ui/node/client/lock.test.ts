import { afterEach, expect, test } from "bun:test";
import { access } from "./api.ts";
import { dropLock, liftLock, lockedSince, raiseLock } from "./lock.ts";

afterEach(dropLock);

const now = () => performance.now();
/** A moment after all that happened so far, whatever the clock's steps. */
async function later(): Promise<number> {
  const before = now();
  while (now() === before) await Bun.sleep(0);
  return now();
}
const onLocked = (mayWait: boolean, sentAt: number) => access.onLocked?.(mayWait, sentAt);

test("a call refused by the lock raises it, and a read goes on once it is lifted", async () => {
  const waits = onLocked(true, await later());
  expect(lockedSince.value).not.toBeNull();
  liftLock();
  expect(await waits).toBe(true);
});

test("a call that was sent before an unlock does not lock the page again", async () => {
  raiseLock();
  const sentAt = await later();
  liftLock();
  expect(await onLocked(true, sentAt)).toBe(true);
  expect(await onLocked(false, sentAt)).toBe(false);
  expect(lockedSince.value).toBeNull();
});

test("one that was sent after it does", async () => {
  raiseLock();
  liftLock();
  expect(await onLocked(false, await later())).toBe(false);
  expect(lockedSince.value).not.toBeNull();
});

test("who waits behind the lock fails when the session ends instead", async () => {
  const waits = onLocked(true, await later());
  dropLock();
  expect(await waits).toBe(false);
});
