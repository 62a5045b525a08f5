import { useEffect, useState } from "preact/hooks";

/** Seconds until a moment (epoch ms), counted down once a second; 0 when it has passed or is null. */
export function useSecondsLeft(until: number | null): number {
  const [, tick] = useState(0);
  const left = until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000));
  useEffect(() => {
    if (until === null || until <= Date.now()) return;
    const timer = setInterval(() => {
      tick((count) => count + 1);
      if (Date.now() >= until) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

/** Minutes and seconds as on a timer, e.g. "1:24". */
export function timer(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
