import { existsSync } from "node:fs";
import { type RunProgram, tryProgram } from "../../../kernel/host/run-program.ts";
import { type DiskHealthEntry, fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { createHealthBook, type HealthBook } from "./smart/health.ts";
import { createSmartctl } from "./smart/smartctl.ts";
import { findDisks } from "./usage/usage.ts";

/** What watches the disks of one node. */
export interface DiskWatch {
  book: HealthBook;
  run: RunProgram;
  /** Asks the disks whose turn has come; calls during a round join it. */
  poll(signal: AbortSignal): Promise<void>;
  /** Asks one disk now, even if that wakes it; waits for a round that is under way. Throws `disk_not_found`. */
  readNow(name: string): Promise<DiskHealthEntry>;
  /** Calls `heard` after every round. */
  onPolled(heard: () => void): void;
}

type Deps = Pick<Needs, "config" | "host" | "db" | "clock" | "bus">;

/** The one watch of a running node; asks nothing by itself. */
export function createDiskWatch(ctx: Deps): DiskWatch {
  const isSystemd = () => process.getuid?.() === 0 && existsSync("/run/systemd/system");
  const book = createHealthBook(ctx, createSmartctl(ctx.config.smartctl, tryProgram, isSystemd));
  const hearers: (() => void)[] = [];
  let round: Promise<void> | null = null;

  function tellRead(): void {
    for (const heard of hearers) heard();
  }

  return {
    book,
    run: tryProgram,
    onPolled: (heard) => void hearers.push(heard),
    async poll(signal) {
      round ??= book.poll(findDisks(ctx), signal).finally(() => {
        round = null;
        tellRead();
      });
      return round;
    },
    async readNow(name) {
      await round;
      const disk = findDisks(ctx).find((entry) => [entry.name, `/dev/${entry.name}`].includes(name));
      if (!disk) throw fail("disk_not_found", { name });
      try {
        return await book.readNow(disk);
      } finally {
        tellRead();
      }
    },
  };
}
