import type { RunProgram } from "../../../kernel/host/run-program.ts";
import { fullness } from "../../machine/index.ts";
import { type DiskDetail, fail, type PhysicalDisk } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { type HealthBook, nameOf } from "./smart/health.ts";
import { judge } from "./smart/judge.ts";
import { type Disk, type DiskUse, findDisks, measureUse } from "./usage/usage.ts";

type Deps = Pick<Needs, "host">;
type Smart = PhysicalDisk["smart"];

const UNKNOWN: Smart = {
  available: false,
  healthy: null,
  status: "Unknown",
  temperature_c: null,
  power_on_hours: null,
  reallocated_sectors: null,
  pending_sectors: null,
  media_errors: null,
  percentage_used: null,
};

function describeSmart(book: HealthBook, disk: Disk): Smart {
  const reading = book.lastReading(disk)?.reading;
  if (!reading) return UNKNOWN;
  const { temperature_c, power_on_hours, reallocated_sectors, pending_sectors, media_errors, percentage_used } =
    reading;
  const { status, healthy } = judge(reading);
  return {
    available: true,
    healthy,
    status,
    temperature_c,
    power_on_hours,
    reallocated_sectors,
    pending_sectors,
    media_errors,
    percentage_used,
  };
}

function describeDisk(book: HealthBook, disk: Disk, use: DiskUse | undefined): PhysicalDisk {
  const reading = book.lastReading(disk)?.reading;
  const used_bytes = use?.used_bytes ?? 0;
  return {
    device: `/dev/${disk.name}`,
    ...nameOf(disk, reading),
    size_bytes: disk.size_bytes,
    used_bytes,
    used_percent: fullness({ used: used_bytes, free: use?.free_bytes ?? 0 }),
    mounts: use?.mounts ?? [],
    // The kernel calls many flash disks behind USB rotating; the disk itself knows.
    rotational: reading?.rotational ?? disk.rotational,
    transport: disk.transport,
    smart: describeSmart(book, disk),
  };
}

/** All physical disks with what is on them and the last known health. */
export async function readOverview(ctx: Deps, book: HealthBook, run: RunProgram): Promise<PhysicalDisk[]> {
  const devices = ctx.host.blockDevices();
  const uses = await measureUse(ctx, devices, run);
  return findDisks(ctx, devices).map((disk) => describeDisk(book, disk, uses.get(disk.name)));
}

/** One disk with every attribute of its last reading. Throws `disk_not_found`. */
export function readDisk(ctx: Deps, book: HealthBook, overview: readonly PhysicalDisk[], name: string): DiskDetail {
  const device = name.startsWith("/dev/") ? name : `/dev/${name}`;
  const found = overview.find((entry) => entry.device === device);
  if (!found) throw fail("disk_not_found", { name });
  const disk = findDisks(ctx).find((entry) => `/dev/${entry.name}` === device);
  const attributes = (disk && book.lastReading(disk)?.reading.attributes) ?? {};
  return { ...found, smart: { ...found.smart, attributes } };
}
