import type { Counts } from "./parse-ata.ts";
import type { Part } from "./smart-json.ts";

const KINDS = ["read", "write", "verify"];

/** Reads the logs of a SCSI or SAS disk; null when there are none. */
export function readScsi(root: Part): Counts | null {
  const defects = root.at("scsi_grown_defect_list").number();
  const counters = root.at("scsi_error_counter_log");
  const uncorrected = KINDS.map((kind) => counters.at(kind, "total_uncorrected_errors").number());
  const known = uncorrected.filter((count) => count !== null);
  const used = root.at("scsi_percentage_used_endurance_indicator").number();
  if (defects === null && known.length === 0 && used === null) return null;
  const attributes: Record<string, string> = {};
  const note = (name: string, value: number | null) => {
    if (value !== null) attributes[name] = String(value);
  };
  note("Grown_Defect_List", defects);
  for (const [index, kind] of KINDS.entries()) {
    note(`Uncorrected_${kind}_errors`, uncorrected[index] ?? null);
    note(`Corrected_${kind}_errors`, counters.at(kind, "total_errors_corrected").number());
  }
  note("Percentage_Used", used);
  note("Start_Stop_Cycles", root.at("scsi_start_stop_cycle_counter", "accumulated_start_stop_cycles").number());
  return {
    reallocated_sectors: defects,
    pending_sectors: null,
    media_errors: known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : null,
    percentage_used: used,
    notes: [],
    attributes,
  };
}
