import { seconds } from "../../../lib/duration.ts";
import { whilePaused } from "./halts.ts";
import type { Own } from "./needs.ts";
import type { Halting } from "./policy-store.ts";
import { roomFor } from "./room.ts";
import { createAllowance, createCrowds } from "./still-bounds.ts";
import { createCopies, NoRoom } from "./still-copies.ts";
import { besideReading, type Volume, type WithStill } from "./volumes.ts";

/** How long an app is paused for databases that are read at once, and how many bytes they may have on the node's disk. */
const PAUSE_MS = seconds(2);
const MOST_AHEAD = 1024 ** 3;

/** Why a database went into a backup as it came. */
const REASONS = {
  room: "this server's disk has too little room to take it at one moment.",
  time: "the app has too many databases to take each at one moment. Choose that the app is paused meanwhile.",
};

type Untaken = Record<keyof typeof REASONS, { first: string; count: number } | null>;

/** How SQLite databases of an app that is neither paused nor stopped are taken, and what should be known of that, in sentences. */
export interface StillDatabases {
  withStill: WithStill;
  notes(): string[];
}

/**
 * A file that is written while it is read is copied half. So an app that goes on during its backup is paused for the moment in which one of
 * its SQLite databases is read, with its log: that is what it would find after a power cut, which SQLite is made for. Of a folder with
 * many of them, those behind it are read in the same pause. What takes too long in all passes as it comes.
 */
export function stillDatabases(own: Own, appId: string, mode: Halting, opId: string, scratch: string): StillDatabases {
  const untaken = new Map<string, Untaken>();
  const allowance = createAllowance();
  if (mode !== "none") return { withStill: (_, use) => use(async () => null), notes: () => [] };

  const withStill: WithStill = (volume, use) =>
    besideReading(own, appId, volume, async (read) => {
      const copies = createCopies(scratch);
      const crowds = createCrowds();
      const ready: Awaited<ReturnType<typeof copies.takeAhead>> = new Map();
      const missed: Untaken = { room: null, time: null };
      untaken.set(volume.name, missed);
      const miss = (reason: keyof Untaken, path: string): null => {
        missed[reason] = { first: missed[reason]?.first ?? path, count: (missed[reason]?.count ?? 0) + 1 };
        return null;
      };

      /** One in a pause, and what is read ahead in that. */
      async function pauseFor(path: string) {
        const room = await roomFor(own);
        let taken: Awaited<ReturnType<typeof copies.takeOne>> = [];
        await whilePaused(own, appId, opId, async () => {
          const end = own.clock.monotonic() + PAUSE_MS;
          taken = await copies.takeOne(read, path, room);
          const folder = crowds.count(path);
          if (folder === null) return;
          const bounds = { room: Math.min(room / 2, MOST_AHEAD), isOver: () => own.clock.monotonic() >= end };
          const ahead = await copies.takeAhead(read, { folder, after: path, ...bounds });
          for (const [each, files] of ahead) {
            await copies.drop(ready.get(each) ?? []);
            ready.set(each, files);
          }
        });
        return taken;
      }

      try {
        return await use(async (path) => {
          const known = ready.get(path);
          ready.delete(path);
          if (known !== undefined) return known;
          if (allowance.isSpent(volume.source, path)) return miss("time", path);
          const began = own.clock.monotonic();
          try {
            return await pauseFor(path);
          } catch (error) {
            if (error instanceof NoRoom) return miss("room", path);
            throw error;
          } finally {
            allowance.spend(volume.source, path, own.clock.monotonic() - began);
          }
        });
      } finally {
        for (const left of ready.values()) await copies.drop(left);
      }
    });

  return { withStill, notes: () => [...untaken].flatMap(([name, missed]) => describe(own, appId, name, missed)) };
}

function describe(own: Own, appId: string, volume: Volume["name"], missed: Untaken): string[] {
  const place = `in ${volume} of ${own.apps.get(appId).name}`;
  return (["room", "time"] as const).flatMap((reason) => {
    const some = missed[reason];
    if (some === null) return [];
    const what =
      some.count === 1
        ? `${some.first} ${place} was copied while it was written`
        : `${some.first} and ${some.count - 1} more databases ${place} were copied while they were written`;
    return [`${what}: ${REASONS[reason]}`];
  });
}
