/** Bytes that went through one interface since it came up. */
export interface NetCounter {
  name: string;
  rx: number;
  tx: number;
}

/** Reads `/proc/net/dev`. Old drivers print no blank between the colon and a long number. */
export function parseNetDev(text: string): NetCounter[] {
  const counters: NetCounter[] = [];
  for (const line of text.split("\n")) {
    const colon = line.lastIndexOf(":");
    if (colon < 0) continue;
    const columns = line
      .slice(colon + 1)
      .trim()
      .split(/ +/);
    counters.push({ name: line.slice(0, colon).trim(), rx: Number(columns[0] ?? 0), tx: Number(columns[8] ?? 0) });
  }
  return counters;
}
