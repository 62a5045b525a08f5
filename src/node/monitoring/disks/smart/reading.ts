import { type Static, t } from "elysia";
import { Nullable, NullableNumber, NullableText } from "../../../../kernel/http/schema.ts";

/** One reading of a disk's own health record, in one form for ATA, NVMe and SCSI; kept as JSON. */
export const SmartReading = t.Object({
  model: NullableText,
  serial: NullableText,
  rotational: Nullable(t.Boolean()),
  /** The disk calls itself failing. */
  failing: t.Boolean(),
  temperature_c: NullableNumber,
  power_on_hours: NullableNumber,
  /** Sectors that were replaced by spare ones. */
  reallocated_sectors: NullableNumber,
  /** Sectors that could not be read and wait to be written anew. */
  pending_sectors: NullableNumber,
  /** Reads or writes that the disk could not save. */
  media_errors: NullableNumber,
  /** Part of the promised writes that is used up; may exceed 100. */
  percentage_used: NullableNumber,
  /** What else is worth a word, in plain ones. */
  notes: t.Array(t.String()),
  attributes: t.Record(t.String(), t.String()),
});
export type SmartReading = Static<typeof SmartReading>;
