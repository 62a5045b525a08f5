import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { isLocked } from "./held-locks.ts";

const root = makeScratch("locks");
afterAll(() => rmSync(root, { recursive: true }));

test("a file that a process holds for writing is locked, and none that is only read or waited for", () => {
  mkdirSync(join(root, "proc"));
  writeFileSync(join(root, "lock"), "");
  const { ino } = statSync(join(root, "lock"));
  const isHeld = (...lines: string[]) => {
    writeFileSync(join(root, "proc/locks"), `${lines.join("\n")}\n`);
    return isLocked(root, ["/none", "/lock"]);
  };
  expect(
    isHeld(`1: FLOCK  ADVISORY  WRITE 9850 fe:00:1 0 EOF`, `2: POSIX  ADVISORY  WRITE 24 00:2a:${ino} 0 EOF`),
  ).toBe(true);
  expect(isHeld(`2: POSIX  ADVISORY  READ 24 00:2a:${ino} 0 EOF`)).toBe(false);
  expect(isHeld(`2: -> POSIX  ADVISORY  WRITE 24 00:2a:${ino} 0 EOF`)).toBe(false);
  // The same number on another disk.
  expect(isHeld(`2: POSIX  ADVISORY  WRITE 24 ff:3f:${ino} 0 EOF`)).toBe(false);
  rmSync(join(root, "proc/locks"));
  expect(isLocked(root, ["/lock"])).toBe(false);
});

test("the kernel's own list is understood", async () => {
  const path = join(root, "taken");
  writeFileSync(path, "");
  const held = Bun.spawn(["flock", path, "sh", "-c", "echo held; exec cat"], { stdin: "pipe", stdout: "pipe" });
  await held.stdout.getReader().read();
  expect(isLocked("/", [path])).toBe(true);
  held.stdin.end();
  await held.exited;
  expect(isLocked("/", [path])).toBe(false);
});
