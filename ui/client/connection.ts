import { signal } from "@preact/signals";

/** Set while the server does not answer: since when, and when the next try is due (epoch ms). */
export const offline = signal<{ since: number; nextTry: number } | null>(null);

/** A page that has heard nothing for so long asks whether the server is there; together with the wait for that answer it is less than 5 s. */
const silenceMs = 2500;
const answerMs = 2000;
const lookMs = 250;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let attempt = 0;
/** When the server was last heard, on the clock of `performance.now()`. */
let heardAt = 0;
let lost = new AbortController();

/** Runs `again` each time the server answers after an interruption; returns the way to stop that. */
export function onReconnect(again: () => void): () => void {
  listeners.add(again);
  return () => listeners.delete(again);
}

/**
 * Aborts when the server is found to be away, and again when it is back: what was asked before would be waited for as long as the
 * network likes.
 */
export function untilLost(): AbortSignal {
  return lost.signal;
}

function giveUp(): void {
  const before = lost;
  lost = new AbortController();
  before.abort();
}

/** Notes that something came from the server, such as a part of a stream. */
export function markHeard(): void {
  heardAt = performance.now();
}

/** Any answer, also an error answer, proves that the server is there. */
export function markReachable(): void {
  markHeard();
  if (offline.peek() === null) return;
  clearTimeout(timer);
  attempt = 0;
  offline.value = null;
  giveUp();
  // After those who have just been given up know it, or they would take what is still on its way for the new answer.
  setTimeout(() => {
    for (const again of [...listeners]) again();
  });
}

/** Starts the bar and the probing; the waits are 1, 2, 4, 8 and then 15 seconds. */
export function markUnreachable(): void {
  if (offline.peek() !== null) return;
  attempt = 0;
  schedule(Date.now());
  giveUp();
}

/** Asks at once, from the button in the bar. */
export function probeNow(): void {
  clearTimeout(timer);
  void probe();
}

/** Whether the server answers within two seconds; a proxy that answers for it does not count. */
export function isServerThere(): Promise<boolean> {
  return fetch("/", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(answerMs) }).then(
    ({ status }) => status < 502 || status > 504,
    () => false,
  );
}

/**
 * Notices within five seconds that the server is gone, also when the network swallows everything without a word: a page that is
 * seen and hears nothing asks. Returns the way to stop.
 */
export function watchServer(): () => void {
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (isAsking || offline.peek() !== null || document.visibilityState !== "visible") return;
    isAsking = true;
    const askedAt = performance.now();
    const isThere = await isServerThere();
    isAsking = false;
    if (isThere) markReachable();
    else if (heardAt < askedAt) markUnreachable();
  };
  const look = (): void => {
    if (performance.now() - heardAt >= silenceMs) void ask();
  };
  const back = (): void => {
    if (offline.peek() !== null) probeNow();
  };
  const gone = (): void => void ask();
  const clock = setInterval(look, lookMs);
  addEventListener("offline", gone);
  addEventListener("online", back);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(clock);
    removeEventListener("offline", gone);
    removeEventListener("online", back);
    document.removeEventListener("visibilitychange", look);
  };
}

function schedule(since: number): void {
  const wait = Math.min(15_000, 1000 * 2 ** attempt);
  attempt += 1;
  offline.value = { since, nextTry: Date.now() + wait };
  clearTimeout(timer);
  timer = setTimeout(() => void probe(), wait);
}

async function probe(): Promise<void> {
  if (await isServerThere()) return markReachable();
  // Another call may have been answered in the meantime.
  const now = offline.peek();
  if (now !== null) schedule(now.since);
}
