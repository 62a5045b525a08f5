/** What a node measured at one moment; NaN where it could not. */
export interface Sample {
  no: number;
  /** Milliseconds. */
  at: number;
  /** Percent. */
  cpu: number;
  memory: number;
  disk: number;
  /** Bytes per second. */
  net_in: number;
  net_out: number;
}

/** A sample as it is read back; null where nothing was measured. */
export interface SamplePoint {
  /** Milliseconds. */
  t: number;
  cpu: number | null;
  memory: number | null;
  disk: number | null;
  net_in: number | null;
  net_out: number | null;
}

/** A span of a figure; null where nothing was measured. */
export interface Spread {
  min: number | null;
  avg: number | null;
  max: number | null;
}

/** An hour or a day of a node. */
export interface RolledPoint {
  /** Its start, milliseconds. */
  t: number;
  /** How many samples it holds. */
  n: number;
  cpu: Spread;
  memory: Spread;
  disk: Spread;
  net_in: Spread;
  net_out: Spread;
}

/** A minute of a node, averaged; null where nothing was measured. */
export interface MinutePoint {
  no: number;
  /** Minutes since 1970. */
  minute: number;
  cpu: number | null;
  memory: number | null;
  disk: number | null;
  net_in: number | null;
}

/** What was measured, oldest first, `from` up to but without `to` (milliseconds). */
export interface SampleReads {
  /** Single samples; the last seven hours are kept, the newest second may be missing. */
  range(no: number, from: number, to: number): Promise<SamplePoint[]>;
  /** Whole hours; the last 31 days. The hour that runs is not among them. */
  hourly(no: number, from: number, to: number): Promise<RolledPoint[]>;
  /** Whole days (UTC); the last 100 days at least. */
  daily(no: number, from: number, to: number): Promise<RolledPoint[]>;
}

/** The history of every node. */
export interface SampleStore extends SampleReads {
  /** Takes a sample; on disk within a second. When the disk is slower than the fleet, older samples are thinned. */
  append(sample: Sample): void;
  /** Minutes since `from` (milliseconds) of the nodes from `low` up to but without `high`, by node, oldest first. */
  minutes(low: number, high: number, from: number): Promise<MinutePoint[]>;
  /** How full the room for samples that wait is, 0 to 1. */
  pressure(): number;
  /** Writes everything that waits. */
  flush(): Promise<void>;
  /** Begins to write, roll up and forget by the clock. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
