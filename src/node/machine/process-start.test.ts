import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseProcessStat, readProcessStart } from "./process-start.ts";

const stat = (name: string, ticks: number) =>
  `4711 (${name}) S 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 12 0 ${ticks} 1 2 3\n`;

test("the start is the twentieth field after a name that may hold anything", () => {
  expect(parseProcessStat(stat("dockerd", 12_345))).toEqual({ name: "dockerd", startedS: 123.45 });
  expect(parseProcessStat(stat("a) S 1 (b", 100))).toEqual({ name: "a) S 1 (b", startedS: 1 });
  expect(parseProcessStat("")).toBeNull();
  expect(parseProcessStat("4711 (dockerd) S 1")).toBeNull();
});

test("when a program began, by the file with its id", () => {
  const root = mkdtempSync(join(tmpdir(), "orrery-proc-"));
  try {
    mkdirSync(join(root, "proc/4711"), { recursive: true });
    mkdirSync(join(root, "run"));
    writeFileSync(join(root, "proc/uptime"), "1000.50 3000.00\n");
    writeFileSync(join(root, "proc/4711/stat"), stat("dockerd", 90_050));
    writeFileSync(join(root, "run/docker.pid"), "4711\n");
    const start = (program: string, file = "/run/docker.pid") => readProcessStart(root, file, program, 5_000_000);
    expect(start("dockerd")).toBe(4_900_000);
    expect(start("podman")).toBeNull();
    expect(start("dockerd", "/run/other.pid")).toBeNull();
    writeFileSync(join(root, "run/docker.pid"), "4712");
    expect(start("dockerd")).toBeNull();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
