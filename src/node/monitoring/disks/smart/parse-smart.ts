import { isRecord, parseJson } from "../../../../lib/json.ts";
import { decodeExit, type ExitFindings } from "./exit-status.ts";
import { type Counts, readAta } from "./parse-ata.ts";
import { readNvme } from "./parse-nvme.ts";
import { readScsi } from "./parse-scsi.ts";
import type { SmartReading } from "./reading.ts";
import { type Part, partOf } from "./smart-json.ts";

/** What came of asking a disk. */
export type Outcome =
  | { kind: "reading"; reading: SmartReading }
  | { kind: "asleep" }
  | { kind: "power_unknown" }
  /** It answers, but keeps no record of its health. */
  | { kind: "unsupported" }
  /** `reason` is smartctl's own words. */
  | { kind: "failed"; reason: string }
  /** smartctl is older than its JSON output (7.0). */
  | { kind: "too_old" };

const EMPTY: Counts = {
  reallocated_sectors: null,
  pending_sectors: null,
  media_errors: null,
  percentage_used: null,
  notes: [],
  attributes: {},
};

function describeFindings(findings: ExitFindings): string[] {
  const said: [boolean, string][] = [
    [findings.belowThreshold, "A value that foretells failure is at its limit now."],
    [findings.wasBelowThreshold, "A value was beyond its limit at some time in the past."],
    [findings.errorLog, "Its error log has entries; a bad cable is the usual cause."],
    [findings.selfTestLog, "One of its self-tests has failed."],
    [findings.commandFailed, "Some of its records could not be read."],
  ];
  return said.flatMap(([isSet, words]) => (isSet ? [words] : []));
}

/** Degrees that a disk can have; drivers without a sensor give 0 or nonsense. */
function temperatureOf(root: Part): number | null {
  const degrees = root.at("temperature", "current").number();
  return degrees !== null && degrees !== 0 && degrees > -40 && degrees < 150 ? degrees : null;
}

function readRecord(root: Part, findings: ExitFindings): SmartReading | null {
  const passed = root.at("smart_status", "passed").flag();
  const nvme = readNvme(root);
  const counts = readAta(root) ?? nvme ?? readScsi(root);
  if (passed === null && counts === null && !findings.failing) return null;
  const { reallocated_sectors, pending_sectors, media_errors, percentage_used, notes, attributes } = counts ?? EMPTY;
  const rate = root.at("rotation_rate").number();
  return {
    model: root.at("model_name").text() ?? root.at("scsi_model_name").text(),
    serial: root.at("serial_number").text(),
    rotational: rate === null ? null : rate > 0,
    failing: findings.failing || passed === false || (nvme?.isWarning ?? false),
    temperature_c: temperatureOf(root),
    power_on_hours: root.at("power_on_time", "hours").number(),
    reallocated_sectors,
    pending_sectors,
    media_errors,
    percentage_used,
    notes: [...notes, ...describeFindings(findings)],
    attributes,
  };
}

function reasonOf(root: Part): string {
  const said = root
    .at("smartctl", "messages")
    .items()
    .map((message) => message.at("string").text())
    .filter((text) => text !== null);
  return said.at(-1)?.slice(0, 300) ?? "smartctl could not read the disk";
}

/** Makes sense of what `smartctl --json=c -a -n standby,3,5` printed and how it exited. */
export function parseSmart(code: number, stdout: string): Outcome {
  const parsed = parseJson(stdout);
  const root = partOf(parsed);
  const status = decodeExit(code);
  if (status.kind === "asleep" || status.kind === "power_unknown") return status;
  if (!isRecord(parsed)) {
    return /^smartctl [56]\./m.test(stdout) || /unrecognized option|INVALID/i.test(stdout)
      ? { kind: "too_old" }
      : { kind: "failed", reason: "smartctl gave no readable answer" };
  }
  if (status.kind === "no_data") return { kind: "failed", reason: reasonOf(root) };
  const reading = readRecord(root, status.findings);
  return reading ? { kind: "reading", reading } : { kind: "unsupported" };
}
