import { expect, test } from "bun:test";
import { readHealth } from "./observe-app.ts";

const before = (health: string | null, container_id = "c1") => ({ container_id, health });

test.each<[string, object | undefined, ReturnType<typeof before> | null, string | null]>([
  ["no check", undefined, null, null],
  ["a check that was taken away", { Status: "none" }, before("healthy"), null],
  ["it is well", { Status: "healthy", FailingStreak: 0 }, before("unhealthy"), "healthy"],
  ["it has just begun", { Status: "starting", FailingStreak: 0 }, before("healthy"), "starting"],
  ["its check failed too often", { Status: "unhealthy", FailingStreak: 4 }, before("healthy"), "unhealthy"],
  ["an engine that does not count", { Status: "unhealthy" }, before("healthy"), "unhealthy"],
  ["nobody checks it while it is paused", { Status: "unhealthy", FailingStreak: 0 }, before("healthy"), "healthy"],
  ["one check failed before it was paused", { Status: "unhealthy", FailingStreak: 1 }, before("healthy"), "healthy"],
  ["it was paused before anybody looked", { Status: "unhealthy", FailingStreak: 0 }, null, null],
  ["another container was well", { Status: "unhealthy", FailingStreak: 0 }, before("healthy", "c0"), null],
])("the health of a service: %s", (_, Health, known, expected) => {
  const info = { Id: "c1", State: { Health }, Config: { Healthcheck: { Retries: 4 } } };
  expect(readHealth(info as Parameters<typeof readHealth>[0], known)).toBe(expected);
});

test("where nobody says how often a check may fail, the third time is once too often", () => {
  const health = (FailingStreak: number) =>
    readHealth(
      { Id: "c1", State: { Health: { Status: "unhealthy", FailingStreak } }, Config: {} } as Parameters<
        typeof readHealth
      >[0],
      null,
    );
  expect([health(2), health(3)]).toEqual([null, "unhealthy"]);
});
