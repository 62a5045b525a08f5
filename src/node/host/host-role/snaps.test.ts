import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type FakeHostPrograms, makeFakeHostPrograms } from "../../../../tests/kit/fake-host-programs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createSnaps } from "./snaps.ts";

let folder: string;
let fake: FakeHostPrograms;
beforeEach(() => {
  folder = makeScratch("snaps");
  fake = makeFakeHostPrograms(join(folder, "bin"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const WORK = { onLine: () => {} };

test("what is there of the snap store and whether it is on is asked of snap", async () => {
  const snaps = createSnaps(fake.run);
  expect(await snaps.state("docker")).toEqual({ installed: false, enabled: false });
  fake.snapDocker(true);
  expect(await snaps.state("docker")).toEqual({ installed: true, enabled: true });
  fake.snapDocker(false);
  expect(await snaps.state("docker")).toEqual({ installed: true, enabled: false });
});

test("it is switched off and on again, asked for nothing twice, and never removed", async () => {
  fake.snapDocker(true);
  const snaps = createSnaps(fake.run);
  expect(await snaps.set({ snap: "docker", enabled: false }, WORK)).toMatchObject({ enabled: false });
  expect(await snaps.set({ snap: "docker", enabled: false }, WORK)).toMatchObject({ enabled: false });
  expect(fake.isSnapOn()).toBe(false);
  expect(await snaps.set({ snap: "docker", enabled: true }, WORK)).toMatchObject({ enabled: true });
  const changes = fake.calls().filter((call) => !call.startsWith("snap list"));
  expect(changes).toEqual(["snap disable -- docker", "snap enable -- docker"]);
});

test("what snap cannot do is told in its words, and what is not there is not switched", async () => {
  const snaps = createSnaps(fake.run);
  expect(snaps.set({ snap: "docker", enabled: false }, WORK)).rejects.toMatchObject({ code: "snap_unknown" });
  fake.snapDocker(true);
  fake.fault("stuck-snap");
  expect(snaps.set({ snap: "docker", enabled: false }, WORK)).rejects.toMatchObject({
    code: "snap_failed",
    message: expect.stringContaining("cannot perform"),
  });
});
