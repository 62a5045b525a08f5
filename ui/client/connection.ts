import { signal } from "@preact/signals";

/** Set while the server does not answer: since when, and when the next try is due (epoch ms). */
export const offline = signal<{ since: number; nextTry: number } | null>(null);

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let attempt = 0;

/** Runs `again` each time the server answers after an interruption; returns the way to stop that. */
export function onReconnect(again: () => void): () => void {
  listeners.add(again);
  return () => listeners.delete(again);
}

/** Any answer, also an error answer, proves that the server is there. */
export function markReachable(): void {
  if (offline.peek() === null) return;
  clearTimeout(timer);
  attempt = 0;
  offline.value = null;
  for (const again of [...listeners]) again();
}

/** Starts the bar and the probing; the waits are 1, 2, 4, 8 and then 15 seconds. */
export function markUnreachable(): void {
  if (offline.peek() !== null) return;
  attempt = 0;
  schedule(Date.now());
}

/** Asks at once, from the button in the bar. */
export function probeNow(): void {
  clearTimeout(timer);
  void probe();
}

function schedule(since: number): void {
  const wait = Math.min(15_000, 1000 * 2 ** attempt);
  attempt += 1;
  offline.value = { since, nextTry: Date.now() + wait };
  clearTimeout(timer);
  timer = setTimeout(() => void probe(), wait);
}

async function probe(): Promise<void> {
  const answered = await fetch("/", { method: "HEAD", cache: "no-store" }).then(
    (response) => response.status < 502 || response.status > 504,
    () => false,
  );
  if (answered) return markReachable();
  // Another call may have been answered in the meantime.
  const now = offline.peek();
  if (now !== null) schedule(now.since);
}
