import { signal } from "@preact/signals";

/** Since when this browser's session is locked (epoch ms); null while it is open. */
export const lockedSince = signal<number | null>(null);

/** When the lock was last raised or lifted here, on the clock of `performance.now()`. */
let changedAt = Number.NEGATIVE_INFINITY;

const waiting = new Set<(open: boolean) => void>();
let tell: (isLocked: boolean) => void = () => {};

/** Registers how the other tabs of this browser learn of it. */
export function setLockTeller(teller: (isLocked: boolean) => void): void {
  tell = teller;
}

/**
 * True when a call sent at this moment (`performance.now()`) is older than the last change of the lock, so that its answer
 * says nothing about it.
 */
export function isBeforeLockChange(askedAt: number): boolean {
  return askedAt <= changedAt;
}

/** Puts the lock over the page; what is beneath stays as it is. */
export function raiseLock({ quiet = false }: { quiet?: boolean } = {}): void {
  if (lockedSince.peek() !== null) return;
  change(Date.now());
  if (!quiet) tell(true);
}

/** Takes the lock away; calls that waited go on. */
export function liftLock({ quiet = false }: { quiet?: boolean } = {}): void {
  if (lockedSince.peek() === null) return;
  change(null);
  if (!quiet) tell(false);
  release(true);
}

/** Takes the lock away because the session has ended; calls that waited fail. */
export function dropLock(): void {
  change(null);
  release(false);
}

/** Resolves when the lock is gone: true after an unlock, false when the session ended instead. */
export function untilUnlocked(): Promise<boolean> {
  return lockedSince.peek() === null ? Promise.resolve(true) : new Promise((resolve) => waiting.add(resolve));
}

function change(since: number | null): void {
  changedAt = performance.now();
  lockedSince.value = since;
}

function release(open: boolean): void {
  for (const resolve of waiting) resolve(open);
  waiting.clear();
}
