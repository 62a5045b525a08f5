import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { type Clock, toIso } from "../../../lib/clock.ts";

/** The record of what was asked to change this server, one JSON object a line. */
export interface AuditFile {
  /** Returns when the line is on the disk. Throws when it cannot be written. */
  append(line: Record<string, unknown>): void;
}

const NEWLINE = 10;

/** The record in this file, which is only ever added to. It is made, with its folder, when the first line comes. */
export function openAuditFile(path: string, clock: Pick<Clock, "now">): AuditFile {
  return {
    append(line) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const file = openSync(path, "a+", 0o600);
      try {
        const text = `${endTornLine(file)}${JSON.stringify({ time: toIso(clock.now()), ...line })}\n`;
        const bytes = Buffer.from(text);
        if (writeSync(file, bytes) !== bytes.length) throw new Error(`the disk with ${path} is full`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** What ends a line that a power cut or a full disk left without its end. */
function endTornLine(file: number): string {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  return size > 0 && last[0] !== NEWLINE ? "\n" : "";
}
