/**
 * Loaded before all tests (`bunfig.toml`): what a run by hand keeps in scratch folders lies in one folder, which goes with the run,
 * as that of a whole run does.
 */
import { afterAll } from "bun:test";
import { chmodSync, rmSync } from "node:fs";
import { makeScratch } from "./scratch.ts";

if (process.env["TEST_SCRATCH"] === undefined) {
  const folder = makeScratch("run");
  // Servers of tests that run as somebody else have to get in.
  chmodSync(folder, 0o711);
  process.env["TEST_HAND_SCRATCH"] = folder;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}
