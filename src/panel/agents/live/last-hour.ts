import { minutes } from "../../../lib/duration.ts";
import type { LastHour } from "./port.ts";

const MINUTES = 60;
const MINUTE_MS = minutes(1);
/** cpu, memory, disk, net_in: 16 bytes a minute. */
const FIELDS = 4;
const PER_NODE = MINUTES * FIELDS;
/** Nodes whose hours are made room for together. */
const CHUNK = 256;

/** What one minute is made of. */
export interface MinuteFigures {
  cpu: number;
  memory: number;
  disk: number;
  net_in: number;
}

interface Chunk {
  points: Float32Array;
  /** The newest minute by node; 0 when there is none. */
  minute: Int32Array;
  /** Heartbeats in the newest minute. */
  count: Uint16Array;
}

const newChunk = (): Chunk => ({
  points: new Float32Array(CHUNK * PER_NODE).fill(Number.NaN),
  minute: new Int32Array(CHUNK),
  count: new Uint16Array(CHUNK),
});

/** The last hour of every node, averages by the minute. */
export function createLastHours() {
  const chunks: (Chunk | undefined)[] = [];

  /** Turns to `minute`; what lies between it and the newest one was not measured. */
  function turn(chunk: Chunk, index: number, minute: number): void {
    const newest = chunk.minute[index] ?? 0;
    const gap = Math.min(minute - newest, MINUTES);
    for (let step = 0; step < gap; step++) {
      const at = index * PER_NODE + ((minute - step) % MINUTES) * FIELDS;
      chunk.points.fill(Number.NaN, at, at + FIELDS);
    }
    chunk.minute[index] = minute;
    chunk.count[index] = 0;
  }

  return {
    /** Takes figures that node `no` sent at `at` (milliseconds); older minutes than its newest are not taken. */
    add(no: number, at: number, { cpu, memory, disk, net_in }: MinuteFigures): void {
      const minute = Math.floor(at / MINUTE_MS);
      const place = Math.floor(no / CHUNK);
      chunks[place] ??= newChunk();
      const chunk = chunks[place];
      const index = no % CHUNK;
      if (minute < (chunk.minute[index] ?? 0)) return;
      if (minute > (chunk.minute[index] ?? 0)) turn(chunk, index, minute);
      const count = Math.min((chunk.count[index] ?? 0) + 1, 0xffff);
      chunk.count[index] = count;
      const { points } = chunk;
      const start = index * PER_NODE + (minute % MINUTES) * FIELDS;
      const mix = (field: number, value: number) => {
        const old = points[start + field] ?? Number.NaN;
        if (Number.isNaN(old)) points[start + field] = value;
        else if (!Number.isNaN(value)) points[start + field] = old + (value - old) / count;
      };
      mix(0, cpu);
      mix(1, memory);
      mix(2, disk);
      mix(3, net_in);
    },
    /** Puts back a minute of before; what was measured since stays. Give the minutes of a node in their order. */
    restore(no: number, minute: number, { cpu, memory, disk, net_in }: MinuteFigures): void {
      const place = Math.floor(no / CHUNK);
      chunks[place] ??= newChunk();
      const chunk = chunks[place];
      const index = no % CHUNK;
      const newest = chunk.minute[index] ?? 0;
      const start = index * PER_NODE + (minute % MINUTES) * FIELDS;
      if (minute > newest) turn(chunk, index, minute);
      else if (newest - minute >= MINUTES) return;
      const point = chunk.points.subarray(start, start + FIELDS);
      if (point.every(Number.isNaN)) point.set([cpu, memory, disk, net_in]);
    },
    /** The minutes of node `no` that began in the hour before `now` (milliseconds). */
    read(no: number, now: number): LastHour {
      const hour: LastHour = { t: [], cpu: [], mem: [], disk: [], net_in: [] };
      const chunk = chunks[Math.floor(no / CHUNK)];
      const newest = chunk?.minute[no % CHUNK] ?? 0;
      if (!chunk || newest === 0) return hour;
      const oldest = Math.max(newest - MINUTES, Math.floor(now / MINUTE_MS) - MINUTES) + 1;
      for (let minute = oldest; minute <= newest; minute++) {
        const start = (no % CHUNK) * PER_NODE + (minute % MINUTES) * FIELDS;
        const point = chunk.points.subarray(start, start + FIELDS);
        if (point.every(Number.isNaN)) continue;
        hour.t.push(minute * MINUTE_MS);
        hour.cpu.push(point[0] ?? Number.NaN);
        hour.mem.push(point[1] ?? Number.NaN);
        hour.disk.push(point[2] ?? Number.NaN);
        hour.net_in.push(point[3] ?? Number.NaN);
      }
      return hour;
    },
    /** Takes back the minutes that begin after `at` (milliseconds): the clock was ahead when they were told. */
    rewind(at: number): void {
      const minute = Math.floor(at / MINUTE_MS);
      for (const chunk of chunks) {
        for (const [index, newest] of chunk?.minute.entries() ?? []) {
          if (!chunk || newest <= minute) continue;
          for (let step = 0; step < Math.min(newest - minute, MINUTES); step++) {
            const start = index * PER_NODE + ((newest - step) % MINUTES) * FIELDS;
            chunk.points.fill(Number.NaN, start, start + FIELDS);
          }
          chunk.minute[index] = minute;
          chunk.count[index] = 1;
        }
      }
    },
    /** Forgets the hour of node `no`. */
    clear(no: number): void {
      const chunk = chunks[Math.floor(no / CHUNK)];
      if (!chunk) return;
      const start = (no % CHUNK) * PER_NODE;
      chunk.points.fill(Number.NaN, start, start + PER_NODE);
      chunk.minute[no % CHUNK] = 0;
    },
  };
}
