import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { PlanRow } from "./plan-store.ts";
import { dueAt, keepOf } from "./plans.ts";

const post = (node: TestNode, path: string, body?: unknown) => node.call(`POST ${path}`, { as: "admin", body });
const get = async (node: TestNode, path: string) => (await node.call(`GET ${path}`, { as: "admin" })).body;

const PLAN = {
  name: "Nightly",
  enabled: true,
  cron: "30 3 * * *",
  jitter_minutes: 0,
  apps: null,
  include_config: true,
  keep: null,
};

async function start() {
  const node = createTestNode();
  const path = makeScratch("target");
  const target = String((await post(node, "/api/backup/targets", { type: "local", name: "disk", path })).body.id);
  return { node, target };
}

/** Waits until nothing is under way. */
const untilIdle = (node: TestNode) =>
  until(async () => {
    const operations: { status: string }[] = await get(node, "/api/operations");
    return operations.every(({ status }) => status !== "running") || null;
  });

/** Lets what is due begin, and waits until it is over; the newest backup. */
async function runDue(node: TestNode) {
  await node.ctx.jobs.run("backups.begin_due");
  const [newest] = await get(node, "/api/backups");
  await until(() => (node.ctx.operations.get(newest.op_id).status === "running" ? null : true));
  return newest;
}

test("plans are made, changed and removed; what cannot be is refused with the reason", async () => {
  const { node, target } = await start();
  const add = async (more: object) => (await post(node, "/api/backup/plans", { ...PLAN, target, ...more })).body;
  const plan = await add({ cron: "  30   3 * * * " });
  expect(plan).toMatchObject({ name: "Nightly", cron: "30 3 * * *", apps: null, next_run_at: expect.any(String) });
  const refused: [string, object][] = [
    ["backup_plan_taken", {}],
    ["backup_plan_time", { name: "b", cron: "often" }],
    ["backup_plan_time", { name: "b", cron: "0 0 31 2 *" }],
    ["backup_plan_often", { name: "b", cron: "*/5 * * * *" }],
    ["backup_empty", { name: "b", apps: [], include_config: false }],
    ["backup_app_unknown", { name: "b", apps: ["app_none"] }],
    ["backup_target_not_found", { name: "b", target: "none" }],
  ];
  for (const [code, more] of refused) expect([more, (await add(more)).code]).toEqual([more, code]);
  const path = `/api/backup/plans/${plan.id}`;
  const off = await node.call(`PUT ${path}`, { as: "admin", body: { ...PLAN, target, enabled: false } });
  expect([off.body.enabled, off.body.next_run_at]).toEqual([false, null]);
  expect((await get(node, "/api/backup/schedule")).next_run_at).toBe(null);
  expect((await node.call(`DELETE ${path}`, { as: "admin" })).status).toBe(200);
  expect((await node.call(`DELETE ${path}`, { as: "admin" })).body.code).toBe("backup_plan_not_found");
  expect((await node.call("POST /api/backup/plans", { as: "member", body: { ...PLAN, target } })).status).toBe(403);
  const told = node.events.filter(({ name }) => name === "backup_schedule.changed");
  expect(told.map(({ data }) => (data as { change: string }).change)).toEqual(["added", "changed", "removed"]);
  node.close();
});

test("of several plans each runs at its time, what was missed once, and one that is off never", async () => {
  const { node, target } = await start();
  for (const [name, cron, enabled] of [
    ["early", "0 2 * * *", true],
    ["late", "0 4 * * *", true],
    ["never", "0 1 * * *", false],
  ] as const)
    await post(node, "/api/backup/plans", { ...PLAN, name, cron, enabled, target });
  const { plans } = await get(node, "/api/backup/schedule");
  const nameOf = (id: string) => plans.find((plan: { id: string }) => plan.id === id)?.name;
  node.clock.jump(3 * 86_400_000);
  const first = await runDue(node);
  const second = await runDue(node);
  expect([nameOf(first.plan), nameOf(second.plan)].toSorted()).toEqual(["early", "late"]);
  // Nothing is due any more, so the newest one is read back.
  await node.ctx.jobs.run("backups.begin_due");
  await until(async () => ((await get(node, "/api/backups"))[0].verified_at === null ? null : true));
  await untilIdle(node);
  expect((await get(node, "/api/backups")).length).toBe(2);
  node.close();
});

test("after a clock that was years ahead plans run at their time, and what was made meanwhile takes nothing's place", async () => {
  const { node, target } = await start();
  const keep = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  await post(node, "/api/backup/plans", { ...PLAN, target, keep });
  const years = 3 * 365 * 86_400_000;
  node.clock.jump(years);
  const ahead = await runDue(node);
  node.clock.jump(-years);
  await node.ctx.jobs.run("backups.begin_due");
  await untilIdle(node);
  node.clock.jump(86_400_000);
  const first = await runDue(node);
  node.clock.jump(86_400_000);
  const second = await runDue(node);
  expect(new Set([ahead.id, first.id, second.id]).size).toBe(3);
  const ids = (await get(node, "/api/backups")).map(({ id }: { id: string }) => id);
  expect(ids).toEqual([second.id, ahead.id]);
  // What was read back then is no proof of what is there now.
  node.ctx.db.raw.run("UPDATE backups SET verified_at = '2099-01-01T00:00:00.000Z'");
  await node.ctx.jobs.run("backups.begin_due");
  await untilIdle(node);
  expect((await get(node, "/api/backups"))[0].verified_at < "2099").toBe(true);
  node.close();
});

test("what a plan keeps takes nothing from what another made", async () => {
  const { node, target } = await start();
  const keep = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  await post(node, "/api/backup/plans", { ...PLAN, name: "all", cron: "0 2 * * *", target });
  await post(node, "/api/backup/plans", { ...PLAN, name: "few", cron: "0 4 * * *", target, apps: [], keep });
  for (let day = 0; day < 3; day += 1) {
    node.clock.jump(86_400_000);
    await runDue(node);
    await runDue(node);
  }
  const { plans } = await get(node, "/api/backup/schedule");
  const made = (await get(node, "/api/backups")).map(
    ({ plan }: { plan: string }) => plans.find(({ id }: { id: string }) => id === plan).name,
  );
  expect(made.toSorted()).toEqual(["all", "all", "all", "few"]);
  node.close();
});

test("the daily schedule of before becomes a plan, and goes on where it was", () => {
  const db = new Database(":memory:");
  const run = (name: string) => db.run(readFileSync(join(import.meta.dir, "migrations", name), "utf8"));
  for (const name of ["0001_backups.sql", "0002_remote_targets.sql", "0003_retention.sql"]) run(name);
  db.run("INSERT INTO backup_targets VALUES ('bkt_1', 'local', 'disk', '/mnt/x', 'k', 'k', 'now', NULL)");
  db.run(
    'INSERT INTO backup_schedule VALUES (1, \'bkt_1\', 4, 5, 1000, \'{"last":2,"daily":1,"weekly":0,"monthly":0}\')',
  );
  run("0004_sources.sql");
  const row = db.query<PlanRow, []>("SELECT * FROM backup_plans").get();
  expect(row).toMatchObject({
    name: "Every day",
    target: "bkt_1",
    enabled: 1,
    cron: "5 4 * * *",
    apps: null,
    seen_at: 1000,
  });
  expect(keepOf({ keep: row?.keep ?? null })).toEqual({ last: 2, hourly: 0, daily: 1, weekly: 0, monthly: 0 });
});

test("a plan begins later by what is drawn for that day, the same each time it is asked", () => {
  const row = {
    id: "bpl_1",
    name: "n",
    target: "t",
    enabled: 1,
    cron: "0 3 * * *",
    jitter_minutes: 60,
    apps: null,
    include_config: 1,
    keep: null,
    seen_at: Date.parse("2026-03-01T12:00:00Z"),
  };
  const plain = dueAt({ ...row, jitter_minutes: 0 }) ?? 0;
  const late = Array.from({ length: 50 }, (_, at) => (dueAt({ ...row, id: `bpl_${at}` }) ?? 0) - plain);
  for (const by of late) expect(by >= 0 && by < 3_600_000).toBe(true);
  expect(new Set(late).size).toBeGreaterThan(40);
  expect(dueAt(row)).toBe(dueAt({ ...row }));
});

test("in seven nights all that lies at a target is read; damage is told of each backup that needs it", async () => {
  const { node, target } = await start();
  const path = (await get(node, "/api/backup/targets"))[0].path;
  await post(node, "/api/backup/plans", { ...PLAN, target, cron: "0 0 1 1 *" });
  const { op_id, id } = (await post(node, "/api/backups", { target, apps: [], include_config: true })).body;
  await until(() => (node.ctx.operations.get(op_id).status === "running" ? null : true));
  await node.ctx.jobs.run("backups.begin_due");
  await untilIdle(node);
  /** How what was read in the next nights, each at two in the morning, ended. */
  const pass = async (nights: number) => {
    const ended = new Map<string, string>();
    for (let night = 0; night < nights; night += 1) {
      const day = new Date(node.clock.now());
      const next = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, 2).getTime();
      node.clock.jump(next - node.clock.now());
      // The weekly one first, where it is due.
      for (let turn = 0; turn < 3; turn += 1) {
        await node.ctx.jobs.run("backups.begin_due");
        await untilIdle(node);
      }
      for (const { id: op, kind, status } of await get(node, "/api/operations"))
        if (kind === "backup.check") ended.set(op, status);
    }
    return [...ended.values()];
  };
  expect(await pass(7)).toEqual(Array.from({ length: 7 }, () => "done"));
  const [name = ""] = readdirSync(join(path, "packs"), { recursive: true, encoding: "utf8" }).filter(
    (found) => found.length > 60,
  );
  const bytes = readFileSync(join(path, "packs", name));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(join(path, "packs", name), bytes);
  expect(await pass(7)).toContain("failed");
  const backup = (await get(node, "/api/backups")).find((known: { id: string }) => known.id === id);
  expect(backup.verified_at).toBeNull();
  expect(backup.damage).toMatch(/^It cannot be read any more: all of main\.db/);
  node.close();
});
