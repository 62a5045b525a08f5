import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { freshDatabases, onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { createPulse } from "./pulse.ts";

onEachEngine("health", (engine) => {
  const databases = freshDatabases(engine);

  test("anybody learns that the panel is there, and its version", async () => {
    const panel = await createTestPanel(await databases.open());
    const { status, body } = await panel.call("GET /api/health");
    expect({ status, body }).toEqual({ status: 200, body: { status: "ok", version: "1.2.3" } });
  });
});

test("a database that stops answering ends the pulse after 20 seconds, one that comes back starts it again", async () => {
  const clock = createFakeClock();
  const { log, lines } = createTestLog();
  let isAway = false;
  const ask = async () => {
    if (isAway) throw new Error("gone");
  };
  const pulse = createPulse(ask, clock, log);
  pulse.start();
  await clock.advance(60_000);
  expect(pulse.isAlive()).toBe(true);
  isAway = true;
  await clock.advance(15_000);
  expect(pulse.isAlive()).toBe(true);
  await clock.advance(10_000);
  expect(pulse.isAlive()).toBe(false);
  expect(lines.every(({ msg }) => msg === "database does not answer")).toBe(true);
  isAway = false;
  await clock.advance(5_000);
  expect(pulse.isAlive()).toBe(true);
  await pulse.stop();
});
