import { expect, test } from "bun:test";
import type { SnapshotPart } from "../engine/index.ts";
import { roomToRestore } from "./room.ts";

const part = (kind: SnapshotPart["kind"], name: string, size: number): SnapshotPart => ({
  ...{ kind, name, size, app: "app_1", sha256: "", list: [] },
});
const VOLUMES = [part("volume", "files", 700), part("volume", "db", 300)];
const DUMP = part("file", "dumps/db", 100);

test("what takes the place of data needs no more room than that has", () => {
  expect(roomToRestore(VOLUMES, [], 0)).toBe(1000);
  expect(roomToRestore(VOLUMES, [], 400)).toBe(600);
  expect(roomToRestore(VOLUMES, [], 5000)).toBeLessThanOrEqual(0);
});

test("a dump is loaded beside the app's data, and what it was loaded into is copied before it goes", () => {
  const loads = [{ part: DUMP, volumes: ["db"] }];
  const parts = [...VOLUMES, DUMP];
  // While it is loaded nothing has gone yet: the dump itself and the database that comes of it.
  expect(roomToRestore(parts, loads, 5000)).toBe(400);
  // Then the loaded database stands beside all that comes back.
  expect(roomToRestore(parts, loads, 0)).toBe(1300);
  // A database has no less than its dump, where the backup has none of its files.
  expect(roomToRestore([DUMP], loads, 5000)).toBe(200);
});
