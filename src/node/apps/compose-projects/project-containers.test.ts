import { expect, test } from "bun:test";
import { startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { restartInTime, stopInTime } from "./project-containers.ts";

test("a container is stopped in its own time, and one that asks for years in an hour", async () => {
  const world = await startComposeWorld();
  const engine = world.node.ctx.runtime.requireEngine();
  const asked: (number | null)[] = [];
  const watched = {
    ...engine,
    async stopContainer(_: string, graceSeconds: number | null) {
      asked.push(graceSeconds);
    },
    async restartContainer(_: string, graceSeconds: number | null) {
      asked.push(graceSeconds);
      return null;
    },
  };
  for (const StopTimeout of [undefined, 90, 3600, 3_600_000, -1]) {
    const id = await engine.createContainer(`of-${StopTimeout}`, { Image: "web:1", Labels: {}, StopTimeout });
    await stopInTime(watched, id);
    await restartInTime(watched, id);
  }
  expect(asked).toEqual([null, null, null, null, null, null, 3600, 3600, 3600, 3600]);
  world.stop();
});
