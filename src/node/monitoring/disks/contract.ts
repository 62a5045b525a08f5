import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";

const smart = {
  available: t.Boolean(),
  /** Null while the status is Unknown. */
  healthy: Nullable(t.Boolean()),
  /** Healthy, Failing, `<n> reallocated`, `<n> pending`, `<n> media errors`, `Worn <n>%` or Unknown. */
  status: t.String(),
  temperature_c: NullableNumber,
  power_on_hours: NullableNumber,
  reallocated_sectors: NullableNumber,
  pending_sectors: NullableNumber,
  media_errors: NullableNumber,
  percentage_used: NullableNumber,
};

const disk = {
  /** `/dev/sda`. */
  device: t.String(),
  model: NullableText,
  serial: NullableText,
  size_bytes: t.Integer(),
  used_bytes: t.Integer(),
  used_percent: t.Number(),
  mounts: t.Array(t.String()),
  rotational: t.Boolean(),
  /** `sata`, `sas`, `usb`, `nvme`, `virtio`, `mmc`, … */
  transport: NullableText,
};

export const PhysicalDisk = t.Object({ ...disk, smart: t.Object(smart) });
export type PhysicalDisk = Static<typeof PhysicalDisk>;

export const DiskDetail = t.Object({
  ...disk,
  smart: t.Object({ ...smart, attributes: t.Record(t.String(), t.String()) }),
});
export type DiskDetail = Static<typeof DiskDetail>;

/** `/dev/sda` is taken too, with its slashes escaped. */
const DiskParams = t.Object({ name: t.String({ minLength: 1, maxLength: 64 }) });

/**
 * Why a disk has the health it has: `read` at the last try, `asleep` (the reading before stands), `cannot_tell` (it does not
 * say whether it sleeps, so it is left alone), `unsupported`, `virtual`, `unreadable`, `waiting` for its first turn.
 */
export const ReadingState = t.Union([
  t.Literal("read"),
  t.Literal("asleep"),
  t.Literal("cannot_tell"),
  t.Literal("unsupported"),
  t.Literal("virtual"),
  t.Literal("unreadable"),
  t.Literal("waiting"),
]);
export type ReadingState = Static<typeof ReadingState>;

export const DiskHealthEntry = t.Object({
  device: t.String(),
  model: NullableText,
  serial: NullableText,
  available: t.Boolean(),
  healthy: Nullable(t.Boolean()),
  status: t.String(),
  state: ReadingState,
  /** When the disk was last read; what is shown is from then. */
  read_at: NullableText,
  age_seconds: Nullable(t.Integer()),
  verdict: t.String(),
  next_step: NullableText,
  /** What else the record says. */
  notes: t.Array(t.String()),
});
export type DiskHealthEntry = Static<typeof DiskHealthEntry>;

/** `healthy` is false when a disk is not, null while none is known. */
export const DiskHealth = t.Object({
  healthy: Nullable(t.Boolean()),
  /** Whether smartctl could be asked; null before the first try. */
  smartctl: t.Object({ installed: Nullable(t.Boolean()), next_step: NullableText }),
  disks: t.Array(DiskHealthEntry),
});
export type DiskHealth = Static<typeof DiskHealth>;

export const fail = defineErrors({
  disk_not_found: [404, "There is no disk {name} in this server. It may have been taken out."],
});

export type DiskEvents = {
  "disk.health_changed": {
    device: string;
    model: string | null;
    serial: string | null;
    status: string;
    healthy: boolean | null;
  };
  "system.disk_warning": { device: string | null; mount_point: string; used_percent: number };
};

const access = user("monitoring");

export const diskRoutes = defineRoutes({
  "GET /api/disks/overview": { access, out: t.Array(PhysicalDisk) },
  "GET /api/disks/{name}": { access, params: DiskParams, out: DiskDetail },
  "POST /api/disks/{name}/read": {
    access: admin("monitoring", { component: "smart" }),
    params: DiskParams,
    out: DiskHealthEntry,
  },
  "GET /api/system/disk/health": { access, out: DiskHealth },
});
export type DiskApi = ApiOf<typeof diskRoutes>;
