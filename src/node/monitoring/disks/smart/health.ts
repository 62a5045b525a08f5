import { Value } from "@sinclair/typebox/value";
import { toIso } from "../../../../lib/clock.ts";
import { hours } from "../../../../lib/duration.ts";
import { parseJson } from "../../../../lib/json.ts";
import type { DiskHealth, DiskHealthEntry, ReadingState } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { findReading, saveReading } from "../store.ts";
import type { Disk } from "../usage/usage.ts";
import { judge } from "./judge.ts";
import { SmartReading } from "./reading.ts";
import type { Asked, Smartctl } from "./smartctl.ts";

type Deps = Pick<Needs, "db" | "clock" | "bus">;

/** A disk's last reading and when it was taken, milliseconds. */
export interface KeptReading {
  reading: SmartReading;
  read_at: number;
}

/** The health of disks as far as it is known. */
export interface HealthBook {
  /** Asks every disk whose last reading is an hour old, one after the other; disks that sleep are left alone. */
  poll(disks: readonly Disk[], signal: AbortSignal): Promise<void>;
  /** Asks one disk at once, even if that wakes it. */
  readNow(disk: Disk): Promise<DiskHealthEntry>;
  /** True when a poll would ask the disk. */
  isDue(disk: Disk): boolean;
  lastReading(disk: Disk): KeptReading | null;
  describe(disks: readonly Disk[]): DiskHealth;
}

/** A little less than the job's hour, whose length varies by a tenth. */
const FRESH_MS = hours(0.8);
const INSTALL = "Install smartmontools, for example: apt-get install smartmontools";

interface Attempt {
  asked: Asked;
  /** Monotonic. */
  at: number;
}

type Explained = Pick<DiskHealthEntry, "verdict" | "next_step"> & { state: ReadingState };

/** Why the last try gave nothing new. */
function explain(asked: Exclude<Asked, { kind: "reading" }>, name: string): Explained {
  switch (asked.kind) {
    case "asleep":
      return { state: "asleep", verdict: "The disk is asleep and is not woken for this.", next_step: null };
    case "power_unknown":
      return {
        state: "cannot_tell",
        verdict: "The disk does not say whether it is asleep, so it is not asked: that could wake it.",
        next_step: "Read it now from its details; that may wake it.",
      };
    case "unsupported":
      return {
        state: "unsupported",
        verdict: "The disk keeps no record of its health that can be read.",
        next_step: null,
      };
    case "missing":
      return { state: "unreadable", verdict: "smartctl is not installed on this server.", next_step: INSTALL };
    case "too_old":
      return {
        state: "unreadable",
        verdict: "The installed smartctl is older than 7.0 and cannot be understood.",
        next_step: "Update smartmontools to 7.0 or newer; 7.3 or newer is best.",
      };
    case "timeout":
      return {
        state: "unreadable",
        verdict: "The disk gave no answer within 15 seconds.",
        next_step: `Check its cable, and the kernel's log: journalctl -k | grep ${name}`,
      };
    case "failed":
      return {
        state: "unreadable",
        verdict: `The disk could not be read: ${asked.reason}`,
        next_step: /permission denied|not permitted/i.test(asked.reason)
          ? "Reading it needs root: run the node as a service (orrery-node install)."
          : `See what it says by hand, as root: smartctl -a /dev/${name}`,
      };
  }
}

const UNREAD: Explained = { state: "waiting", verdict: "The disk has not been read yet.", next_step: null };
const VIRTUAL: Explained = {
  state: "virtual",
  verdict: "A virtual disk has no health of its own; the machine below knows it.",
  next_step: null,
};

function parseReading(text: string): SmartReading | null {
  const parsed = parseJson(text);
  return Value.Check(SmartReading, parsed) ? parsed : null;
}

/** The one keeper of readings. */
export function createHealthBook({ db, clock, bus }: Deps, smartctl: Smartctl): HealthBook {
  const attempts = new Map<string, Attempt>();

  function lastReading({ key }: Disk): KeptReading | null {
    const row = findReading(db, key);
    const reading = row && parseReading(row.reading);
    return row && reading ? { reading, read_at: row.read_at } : null;
  }

  function isDue(disk: Disk): boolean {
    if (disk.isVirtual) return false;
    const attempt = attempts.get(disk.key);
    if (attempt) return clock.monotonic() - attempt.at >= FRESH_MS;
    // After a restart the reading of the run before stands; one from the future is from a wrong clock.
    const age = clock.now() - (lastReading(disk)?.read_at ?? 0);
    return age >= FRESH_MS || age < 0;
  }

  function keep(disk: Disk, reading: SmartReading): void {
    const { key, name } = disk;
    db.tx(() => {
      const { status, healthy } = judge(reading);
      const before = findReading(db, key)?.status ?? "Healthy";
      saveReading(db, { key, read_at: clock.now(), status, reading: JSON.stringify(reading) });
      if (before === status) return;
      const { model, serial } = nameOf(disk, reading);
      bus.emit("disk.health_changed", { device: `/dev/${name}`, model, serial, status, healthy });
    });
  }

  function describeOne(disk: Disk): DiskHealthEntry {
    const kept = lastReading(disk);
    const asked = attempts.get(disk.key)?.asked;
    const why = disk.isVirtual ? VIRTUAL : asked && asked.kind !== "reading" ? explain(asked, disk.name) : UNREAD;
    const base = { device: `/dev/${disk.name}`, ...nameOf(disk, kept?.reading) };
    if (!kept) {
      return {
        ...base,
        ...why,
        available: false,
        healthy: null,
        status: "Unknown",
        read_at: null,
        age_seconds: null,
        notes: [],
      };
    }
    const { verdict, next_step, status, healthy } = judge(kept.reading);
    const isStale = asked !== undefined && asked.kind !== "reading";
    return {
      ...base,
      available: true,
      healthy,
      status,
      state: isStale ? why.state : "read",
      read_at: toIso(kept.read_at),
      age_seconds: Math.max(0, Math.round((clock.now() - kept.read_at) / 1000)),
      verdict,
      next_step: next_step ?? (isStale ? why.next_step : null),
      notes: isStale ? [why.verdict, ...kept.reading.notes] : kept.reading.notes,
    };
  }

  async function ask(disk: Disk, mayWake: boolean): Promise<void> {
    const asked = await smartctl.ask(disk, mayWake);
    attempts.set(disk.key, { asked, at: clock.monotonic() });
    if (asked.kind === "reading") keep(disk, asked.reading);
  }

  return {
    lastReading,
    isDue,
    async readNow(disk) {
      if (!disk.isVirtual) await ask(disk, true);
      return describeOne(disk);
    },
    async poll(disks, signal) {
      for (const disk of disks.filter(isDue)) {
        if (signal.aborted) return;
        await ask(disk, false);
      }
      const present = new Set(disks.map(({ key }) => key));
      for (const key of attempts.keys()) if (!present.has(key)) attempts.delete(key);
    },
    describe(disks) {
      const entries = disks.map(describeOne);
      const known = entries.filter(({ healthy }) => healthy !== null);
      const kinds = [...attempts.values()].map(({ asked }) => asked.kind);
      const isMissing = kinds.includes("missing");
      return {
        healthy: known.length === 0 ? null : known.every(({ healthy }) => healthy),
        smartctl: {
          installed: kinds.length === 0 ? null : !isMissing,
          next_step: isMissing ? INSTALL : null,
        },
        disks: entries,
      };
    },
  };
}

/** Model and serial number as the disk itself writes them, once it has been read. */
export function nameOf(disk: Disk, reading: SmartReading | undefined): { model: string | null; serial: string | null } {
  return { model: reading?.model ?? disk.model, serial: reading?.serial ?? disk.serial };
}
