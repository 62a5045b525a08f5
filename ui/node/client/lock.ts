import { signal } from "@preact/signals";

/** Since when this browser's session is locked (epoch ms); null while it is open. */
export const lockedSince = signal<number | null>(null);

const waiting = new Set<(open: boolean) => void>();
let tell: (isLocked: boolean) => void = () => {};

/** Registers how the other tabs of this browser learn of it. */
export function setLockTeller(teller: (isLocked: boolean) => void): void {
  tell = teller;
}

/** Puts the lock over the page; what is beneath stays as it is. */
export function raiseLock({ quiet = false }: { quiet?: boolean } = {}): void {
  if (lockedSince.peek() !== null) return;
  lockedSince.value = Date.now();
  if (!quiet) tell(true);
}

/** Takes the lock away; calls that waited go on. */
export function liftLock({ quiet = false }: { quiet?: boolean } = {}): void {
  if (lockedSince.peek() === null) return;
  lockedSince.value = null;
  if (!quiet) tell(false);
  release(true);
}

/** Takes the lock away because the session has ended; calls that waited fail. */
export function dropLock(): void {
  lockedSince.value = null;
  release(false);
}

/** Resolves when the lock is gone: true after an unlock, false when the session ended instead. */
export function untilUnlocked(): Promise<boolean> {
  return lockedSince.peek() === null ? Promise.resolve(true) : new Promise((resolve) => waiting.add(resolve));
}

function release(open: boolean): void {
  for (const resolve of waiting) resolve(open);
  waiting.clear();
}
