import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { minutes } from "../../lib/duration.ts";
import { type ProcFile, procFile } from "./proc-file.ts";

/** Bytes that went through one interface since it came up. */
export interface Traffic {
  name: string;
  rx: number;
  tx: number;
  /** There is hardware behind it. */
  physical: boolean;
}

export interface TrafficReader {
  /** `defaultName` is read too, hardware or not. */
  read(defaultName: string | null): Traffic[];
  close(): void;
}

/** One interface's counters, held open. */
interface Line {
  name: string;
  physical: boolean;
  rx: ProcFile;
  tx: ProcFile;
}

const RECHECK_MS = minutes(1);

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/**
 * Counters of the interfaces with hardware behind them and of the default route's, by a file for each: the kernel's one
 * table lists every container too, and writing it takes longer than all the rest of a sweep. The list of interfaces is
 * made anew every minute, and at once when one of them vanishes or another one becomes the default.
 */
export function createTrafficReader(clock: Clock, folder: string): TrafficReader {
  const lines = new Map<string, Line>();
  let listedAt = Number.NEGATIVE_INFINITY;
  let extra: string | null = null;

  function close(line: Line): void {
    line.rx.close();
    line.tx.close();
    lines.delete(line.name);
  }

  function open(name: string, physical: boolean): void {
    const known = lines.get(name);
    if (known?.physical === physical) return;
    if (known) close(known);
    const file = (counter: string): ProcFile => procFile(join(folder, name, "statistics", counter));
    lines.set(name, { name, physical, rx: file("rx_bytes"), tx: file("tx_bytes") });
  }

  function list(defaultName: string | null): void {
    listedAt = clock.monotonic();
    extra = defaultName;
    const names = namesIn(folder);
    const physical = new Set(names.filter((name) => existsSync(join(folder, name, "device"))));
    const wanted = new Set(names.filter((name) => physical.has(name) || name === defaultName));
    for (const line of [...lines.values()]) if (!wanted.has(line.name)) close(line);
    for (const name of wanted) open(name, physical.has(name));
  }

  function readLines(): Traffic[] | null {
    const net: Traffic[] = [];
    for (const { name, physical, rx, tx } of lines.values()) {
      const text = rx.read();
      if (text === "") return null;
      net.push({ name, rx: Number.parseInt(text, 10), tx: Number.parseInt(tx.read(), 10) || 0, physical });
    }
    return net;
  }

  return {
    read(defaultName: string | null): Traffic[] {
      if (clock.monotonic() - listedAt > RECHECK_MS || extra !== defaultName) list(defaultName);
      const net = readLines();
      if (net) return net;
      list(defaultName);
      return readLines() ?? [];
    },
    close() {
      for (const line of [...lines.values()]) close(line);
    },
  };
}
