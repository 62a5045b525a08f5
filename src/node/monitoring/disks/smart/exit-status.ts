/** What each bit of smartctl's exit status says, decoded on its own; several can be set at once. */
export interface ExitFindings {
  /** The disk calls itself failing. */
  failing: boolean;
  /** Some of its commands failed or a checksum was wrong; the rest of the reading is good. */
  commandFailed: boolean;
  /** An attribute that foretells failure is at or below its threshold now. */
  belowThreshold: boolean;
  /** An attribute was below its threshold some time in the past. */
  wasBelowThreshold: boolean;
  /** Its error log has entries. */
  errorLog: boolean;
  /** Its self-test log has failed tests. */
  selfTestLog: boolean;
}

/** What an exit status means for the reading as a whole. */
export type ExitStatus =
  | { kind: "data"; findings: ExitFindings }
  /** In standby; nothing was asked of it. */
  | { kind: "asleep" }
  /** The disk or its bridge cannot say whether it sleeps; nothing more was asked, so that it is not woken. */
  | { kind: "power_unknown" }
  /** The command line was wrong, or the disk could not be opened. */
  | { kind: "no_data" };

/** What `-n standby,3,5` makes smartctl exit with; no other way leads to exactly these two. */
const ASLEEP = 3;
const POWER_UNKNOWN = 5;

/** Decodes smartctl's exit status (smartctl(8), EXIT STATUS), bit by bit. */
export function decodeExit(code: number): ExitStatus {
  if (code === ASLEEP) return { kind: "asleep" };
  if (code === POWER_UNKNOWN) return { kind: "power_unknown" };
  const has = (bit: number) => (code & (1 << bit)) !== 0;
  if (has(0) || has(1)) return { kind: "no_data" };
  return {
    kind: "data",
    findings: {
      commandFailed: has(2),
      failing: has(3),
      belowThreshold: has(4),
      wasBelowThreshold: has(5),
      errorLog: has(6),
      selfTestLog: has(7),
    },
  };
}
