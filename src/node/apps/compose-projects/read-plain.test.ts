import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { readPlain } from "./read-plain.ts";

test("a text is read where a plain file has one, and nowhere else by what a container put in its place", async () => {
  const folder = makeScratch("plain");
  const at = (name: string) => join(folder, name);
  writeFileSync(at("compose.yaml"), "services: {}\n");
  symlinkSync(at("compose.yaml"), at("link"));
  mkdirSync(at("folder"));
  Bun.spawnSync(["mkfifo", at("pipe")]);
  writeFileSync(at("huge"), "");
  truncateSync(at("huge"), 300_000);
  expect(await readPlain(at("compose.yaml"))).toBe("services: {}\n");
  for (const name of ["link", "folder", "pipe", "huge", "missing", "compose.yaml/inside"]) {
    expect([name, await readPlain(at(name))]).toEqual([name, null]);
  }
  rmSync(folder, { recursive: true });
});
