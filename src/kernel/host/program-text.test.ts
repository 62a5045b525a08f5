import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { findProgramText, forgetProgramText } from "./program-text.ts";

const mapping = (head: string, changedKb: number) =>
  `${head}\nSize:  12 kB\nRss:  8 kB\nAnonymous:      ${changedKb} kB\nVmFlags: rd ex\n`;

test("only code and constants from files that nobody has changed are let go", () => {
  const smaps = [
    mapping("00400000-00500000 r-xp 00001000 08:01 11 /opt/some program", 0),
    mapping("00500000-00600000 r-xp 00001000 08:01 11 /opt/some program", 4),
    mapping("00600000-00700000 rw-p 00001000 08:01 11 /opt/some program", 0),
    mapping("00700000-00800000 r--p 00001000 08:01 11 /opt/some program", 0),
    mapping("7f0000000000-7f0000001000 r-xp 00001000 08:01 12 /lib/libc.so.6", 0),
    mapping("7f0000002000-7f0000003000 r-xp 00000000 00:00 0 ", 0),
    mapping("7f0000004000-7f0000005000 r--s 00000000 08:01 13 /var/lib/orrery/node.db-shm", 0),
    mapping("7fff00000000-7fff00001000 r-xp 00000000 00:00 0 [vdso]", 0),
  ].join("");
  expect(findProgramText(smaps)).toEqual([
    { start: 0x400000, bytes: 0x100000 },
    { start: 0x700000, bytes: 0x100000 },
    { start: 0x7f0000000000, bytes: 0x1000 },
  ]);
});

const ownFileKb = () => Number(/RssFile:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);

test("memory is less at once, and the program goes on", () => {
  const before = ownFileKb();
  forgetProgramText();
  const after = ownFileKb();
  expect(after).toBeLessThan(before - 5000);
  expect([3, 1, 2].toSorted()).toEqual([1, 2, 3]);
});
