/** The three load averages of `/proc/loadavg`: 1, 5 and 15 minutes. */
export function parseLoadavg(text: string): [number, number, number] {
  const [one, five, fifteen] = text.split(" ", 3).map((word) => Number.parseFloat(word) || 0);
  return [one ?? 0, five ?? 0, fifteen ?? 0];
}

/** Whole seconds since boot from `/proc/uptime`. */
export function parseUptime(text: string): number {
  return Math.floor(Number.parseFloat(text) || 0);
}
