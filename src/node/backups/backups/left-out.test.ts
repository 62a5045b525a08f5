import { afterEach, beforeEach, expect, test } from "bun:test";
import { addTarget } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { hours, minutes } from "../../../lib/duration.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ session_rate: "100000" });
  await seedApp(node, "photos");
  const secret = "https://hooks.slack.example/services/T0/B0/x";
  await call("POST /api/alerting/channels", { name: "hook", type: "slack", secret });
  await call("POST /api/alerting/rules", { type: "state", metric: "backup_hollow", clear_for: 0, cooldown: 0 });
});
afterEach(() => node.close());

const call = async (route: string, body?: unknown) => (await node.call(route, { as: "admin", body })).body;
const told = () =>
  node.ctx.db.raw
    .query<{ kind: string }, []>("SELECT kind FROM alert_outbox ORDER BY seq")
    .all()
    .map(({ kind }) => kind);
/** Lets an hour pass, looked at every minute. */
async function passHour(): Promise<void> {
  for (let minute = 0; minute < 60; minute++) {
    await node.clock.advance(minutes(1));
    await node.ctx.jobs.run("alerting.evaluate");
  }
}
const leaveOut = () =>
  node.ctx.bus.emit("backup.app_left_out", {
    ...{ backup_id: "bak_1", app_id: "app_photos", name: "photos", cause: "photos: hole is 214.7 GB long." },
  });
const store = () => node.ctx.bus.emit("backup.app_stored", { backup_id: "bak_2", app_id: "app_photos" });

test("that an app is left out of backups is told once, night after night, until a backup has it", async () => {
  const app = { app_id: "app_photos", name: "photos", template: "whoami" };
  for (let night = 0; night < 3; night++) {
    // As for a copy that it has to stand still for.
    node.ctx.bus.emit("app.stopped", { ...app, status: "stopped" });
    leaveOut();
    node.ctx.bus.emit("app.started", { ...app, status: "running" });
    await passHour();
    await node.clock.advance(hours(23));
  }
  expect(told()).toEqual(["fired"]);
  const [event] = await call("GET /api/alerting/events");
  expect(event).toMatchObject({
    state: "firing",
    entity_name: "photos",
    message: "The newest backup is without photos: hole is 214.7 GB long.",
  });
  store();
  await passHour();
  expect(told()).toEqual(["fired", "resolved"]);
});

test("an app that no plan asks for any more is left out by choice", async () => {
  const { id: target } = await addTarget(node);
  const plan = {
    name: "Every day",
    enabled: true,
    cron: "30 3 * * *",
    jitter_minutes: 0,
    include_config: true,
    keep: null,
  };
  const { id } = await call("POST /api/backup/plans", { ...plan, target, apps: null });
  leaveOut();
  await passHour();
  expect(told()).toEqual(["fired"]);
  await call(`PUT /api/backup/plans/${id}`, { ...plan, target, apps: [] });
  await passHour();
  expect(told()).toEqual(["fired", "resolved"]);
});

test("the overview names it, until a backup has the app, or none is to have it", async () => {
  const { id: target } = await addTarget(node);
  const { db } = node.ctx;
  let no = 0;
  const made = (apps: string[], left: string[]) => {
    no += 1;
    const at = new Date(node.clock.now() + no).toISOString();
    db.raw
      .query(
        `INSERT INTO backups (id, target, apps, include_config, status, op_id, started_at, finished_at, left_out)
         VALUES (?, ?, ?, 1, 'completed', 'op', ?, ?, ?)`,
      )
      .run(`bak_${no}`, target, JSON.stringify(apps), at, at, JSON.stringify(left));
  };
  const block = async () => {
    await node.clock.advance(minutes(1));
    return (await call("GET /api/system/overview")).backup;
  };
  made([], ["app_photos", "app_gone"]);
  made([], []);
  expect(await block()).toMatchObject({
    status: "ok",
    left_out: {
      apps: [{ id: "app_photos", name: "photos" }],
      next_step: expect.stringContaining("Remove that file"),
    },
  });
  made(["app_photos"], []);
  expect(await block()).not.toHaveProperty("left_out");
  made([], ["app_photos"]);
  const plan = {
    name: "Settings",
    enabled: true,
    cron: "30 3 * * *",
    jitter_minutes: 0,
    include_config: true,
    keep: null,
  };
  await call("POST /api/backup/plans", { ...plan, target, apps: [] });
  const { status, left_out } = await block();
  expect([status, left_out]).toEqual(["ok", undefined]);
});
