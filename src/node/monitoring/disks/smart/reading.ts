import { type Static, t } from "elysia";

const Count = t.Union([t.Number(), t.Null()]);
const Text = t.Union([t.String(), t.Null()]);

/** One reading of a disk's own health record, in one form for ATA, NVMe and SCSI; kept as JSON. */
export const SmartReading = t.Object({
  model: Text,
  serial: Text,
  rotational: t.Union([t.Boolean(), t.Null()]),
  /** The disk calls itself failing. */
  failing: t.Boolean(),
  temperature_c: Count,
  power_on_hours: Count,
  /** Sectors that were replaced by spare ones. */
  reallocated_sectors: Count,
  /** Sectors that could not be read and wait to be written anew. */
  pending_sectors: Count,
  /** Reads or writes that the disk could not save. */
  media_errors: Count,
  /** Part of the promised writes that is used up; may exceed 100. */
  percentage_used: Count,
  /** What else is worth a word, in plain ones. */
  notes: t.Array(t.String()),
  attributes: t.Record(t.String(), t.String()),
});
export type SmartReading = Static<typeof SmartReading>;
