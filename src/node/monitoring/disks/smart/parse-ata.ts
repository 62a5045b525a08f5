import type { SmartReading } from "./reading.ts";
import type { Part } from "./smart-json.ts";

/** What a protocol's own part of the record says. */
export type Counts = Pick<
  SmartReading,
  "reallocated_sectors" | "pending_sectors" | "media_errors" | "percentage_used" | "notes" | "attributes"
>;

/** Attributes in which makers of flash disks count down what is left of its life, by the names of smartctl's database. */
const LIFE_LEFT =
  /^(SSD_Life_Left|Media_Wearout_Indicator|Wear_Leveling_Count|Percent_Lifetime_Remain\w*|Remaining_Lifetime_Perc|Percent_Life_Remaining)$/;

/**
 * The number at the beginning of a raw value as smartctl prints it. It knows which of the 48 bits each maker counts in; the
 * bare value holds several numbers at once on Seagate disks and would read as billions of errors.
 */
function printedCount(raw: Part): number | null {
  const printed = /^\d+/.exec(raw.at("string").text() ?? "")?.[0];
  return printed === undefined ? raw.at("value").number() : Number(printed);
}

function percentUsed(root: Part, table: readonly Part[]): number | null {
  const reported = root.at("endurance_used", "current_percent").number();
  if (reported !== null) return reported;
  for (const page of root.at("ata_device_statistics", "pages").items()) {
    const used = page
      .at("table")
      .items()
      .find((entry) => entry.at("name").text() === "Percentage Used Endurance Indicator");
    const value = used?.at("value").number();
    if (value !== null && value !== undefined) return value;
  }
  // Some hard disks use the same numbers for other things.
  if (root.at("rotation_rate").number() !== 0) return null;
  const left = table
    .find((entry) => LIFE_LEFT.test(entry.at("name").text() ?? ""))
    ?.at("value")
    .number();
  return left === null || left === undefined || left > 100 ? null : 100 - left;
}

/** Reads the attributes of an ATA disk; null when it has none. */
export function readAta(root: Part): Counts | null {
  const table = root.at("ata_smart_attributes", "table").items();
  if (table.length === 0) return null;
  const count = (id: number) => {
    const entry = table.find((item) => item.at("id").number() === id);
    return entry ? printedCount(entry.at("raw")) : null;
  };
  const waiting = [count(197), count(198)].filter((value) => value !== null);
  const attributes: Record<string, string> = {};
  for (const entry of table) {
    const id = entry.at("id").number();
    const name = entry.at("name").text() ?? `Attribute_${id}`;
    // Names that the database does not know are all the same word.
    const key = Object.hasOwn(attributes, name) ? `${name} (${id})` : name;
    attributes[key] = entry.at("raw", "string").text() ?? String(entry.at("raw", "value").number() ?? "");
  }
  return {
    reallocated_sectors: count(5),
    pending_sectors: waiting.length > 0 ? Math.max(...waiting) : null,
    media_errors: null,
    percentage_used: percentUsed(root, table),
    notes: [],
    attributes,
  };
}
