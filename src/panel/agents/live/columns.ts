import type { FleetColumns } from "./port.ts";

/** What a node's flags say. */
export const FLAG = {
  critical: 1,
  markedOffline: 2,
  appFailed: 4,
  knownLate: 8,
  knownOffline: 16,
  unheard: 32,
} as const;

/** The columns that the store itself writes. */
export interface LiveColumns extends FleetColumns {
  readonly flags: Uint8Array;
}

const FIRST_SIZE = 1_024;

function fill(size: number, before: LiveColumns | null): LiveColumns {
  const grown = (old: Float64Array | undefined, empty: number) => {
    const column = new Float64Array(size).fill(empty);
    if (old) column.set(old);
    return column;
  };
  const flags = new Uint8Array(size);
  if (before) flags.set(before.flags);
  return {
    last_seen: grown(before?.last_seen, 0),
    cpu: grown(before?.cpu, Number.NaN),
    memory: grown(before?.memory, Number.NaN),
    disk: grown(before?.disk, Number.NaN),
    net_in: grown(before?.net_in, Number.NaN),
    net_out: grown(before?.net_out, Number.NaN),
    uptime_seconds: grown(before?.uptime_seconds, Number.NaN),
    error_rate: grown(before?.error_rate, Number.NaN),
    requests: grown(before?.requests, Number.NaN),
    flags,
  };
}

/** Columns for nodes from 0 on, doubled when a number beyond their end comes. */
export function createColumns() {
  let columns = fill(FIRST_SIZE, null);
  return {
    get: (): LiveColumns => columns,
    /** Makes room for node `no`. */
    reserve(no: number): void {
      let size = columns.flags.length;
      while (size <= no) size *= 2;
      if (size > columns.flags.length) columns = fill(size, columns);
    },
    /** Makes node `no` one that nobody has heard of. */
    clear(no: number): void {
      const { last_seen, flags, ...figures } = columns;
      last_seen[no] = 0;
      flags[no] = 0;
      for (const column of Object.values(figures)) column[no] = Number.NaN;
    },
  };
}
