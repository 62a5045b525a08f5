import { expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { systemClock } from "../../lib/clock.ts";
import { createSpaceReader, type Space } from "./space.ts";

const SPACE: Space = { total: 100, used: 40, free: 50, files: { used: 0, total: 0 } };

test("a dead mount costs two seconds once, is not asked again, and others are asked apart", async () => {
  const clock = createFakeClock();
  const asked: string[] = [];
  let revive = (_: Space) => {};
  const dead = new Promise<Space>((resolve) => {
    revive = resolve;
  });
  const ask = async (path: string) => {
    asked.push(path);
    return path === "/dead" ? dead : SPACE;
  };
  const apart = async (path: string) => {
    asked.push(`apart ${path}`);
    return SPACE;
  };
  const reader = createSpaceReader(clock, ask, apart);
  expect(await reader.read("/data")).toEqual(SPACE);
  const first = reader.read("/dead");
  await clock.advance(2_000);
  expect(await first).toBeNull();
  expect(await reader.read("/dead")).toBeNull();
  expect(await reader.read("/data")).toEqual(SPACE);
  expect(asked).toEqual(["/data", "/dead", "apart /data"]);

  revive(SPACE);
  await dead;
  await Bun.sleep(0);
  expect(await reader.read("/dead")).toEqual(SPACE);
  expect(asked.at(-1)).toBe("/dead");
});

test("the kernel and the process of its own agree", async () => {
  const clock = createFakeClock();
  const never = () => new Promise<Space>(() => {});
  const stuck = createSpaceReader(clock, never);
  const hung = stuck.read("/dead");
  await clock.advance(2_000);
  await hung;
  const apart = await stuck.read("/proc/..");
  const direct = await createSpaceReader(systemClock).read("/");
  expect(apart?.total).toBe(direct?.total ?? -1);
  expect(await stuck.read("/nonexistent")).toBeNull();
});
