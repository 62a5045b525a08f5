import type { Scanner } from "./scanner.ts";

/** The three load averages of `/proc/loadavg`: 1, 5 and 15 minutes. */
export function parseLoadavg(scanner: Scanner | null): [number, number, number] {
  const next = (): number => Math.max(0, scanner?.decimal() ?? 0);
  return [next(), next(), next()];
}

/** Whole seconds since boot from `/proc/uptime`. */
export function parseUptime(text: string): number {
  return Math.floor(Number.parseFloat(text) || 0);
}
