/** Bytes that went through one interface since it came up. */
export interface NetCounter {
  name: string;
  rx: number;
  tx: number;
}

/**
 * Reads `/proc/net/dev` as far as `isWanted` asks for: a server with many containers has many interfaces, and few of them
 * are looked at. Old drivers print no blank between the colon and a long number.
 */
export function parseNetDev(text: string, isWanted: (name: string) => boolean = () => true): NetCounter[] {
  const counters: NetCounter[] = [];
  for (const line of text.split("\n")) {
    const colon = line.lastIndexOf(":");
    const name = line.slice(0, colon).trim();
    if (colon < 0 || !isWanted(name)) continue;
    const columns = line
      .slice(colon + 1)
      .trim()
      .split(/ +/);
    counters.push({ name, rx: Number(columns[0] ?? 0), tx: Number(columns[8] ?? 0) });
  }
  return counters;
}
