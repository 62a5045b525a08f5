import type { Counts } from "./parse-ata.ts";
import type { Part } from "./smart-json.ts";

/** Bits of the critical warning (NVMe base specification, SMART / Health Information). */
const WARNINGS = [
  "Its spare blocks are nearly used up.",
  "It is too hot or too cold.",
  "Its reliability has suffered from errors.",
  "It has switched to read only.",
  "Its backup power for the cache has failed.",
  "Its persistent memory has become unreliable.",
];

/** The warnings that are set, in words. */
export function describeWarnings(bits: number): string[] {
  return WARNINGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** Reads the health log of an NVMe disk; null when there is none. */
export function readNvme(root: Part): (Counts & { isWarning: boolean }) | null {
  const log = root.at("nvme_smart_health_information_log");
  const fields = log.fields();
  if (fields.length === 0) return null;
  const warning = log.at("critical_warning").number() ?? 0;
  const attributes: Record<string, string> = {};
  for (const [name, value] of fields) {
    const list = value.items().map((item) => item.number() ?? "");
    attributes[name] = list.length > 0 ? list.join(", ") : (value.text() ?? String(value.number() ?? ""));
  }
  return {
    reallocated_sectors: null,
    pending_sectors: null,
    media_errors: log.at("media_errors").number(),
    percentage_used: log.at("percentage_used").number(),
    notes: describeWarnings(warning),
    attributes,
    isWarning: warning !== 0,
  };
}
