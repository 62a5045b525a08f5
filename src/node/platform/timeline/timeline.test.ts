import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { pruneTimeline } from "./prune.ts";
import { announceStart } from "./start.ts";
import { insertEvent } from "./store.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ session_rate: "100000" });
  for (const role of ["admin", "member", "viewer"] as const) await node.tokenOf(role);
});
afterEach(() => node.close());

type As = "admin" | "member" | "viewer";
const get = async (path: string, as: As = "admin") => {
  await node.ctx.bus.idle();
  return (await node.call(`GET /api/${path}`, { as })).body;
};
const titles = async (query = "", as: As = "admin") =>
  (await get(`timeline${query}`, as)).items.map(({ title }: { title: string }) => title);

const app = { app_id: "app_1", name: "Photos", template: "immich", status: "running" } as const;
const crash = { ...app, service: "web", cause: "it ran out of memory", next_step: null };
const failed = (ip: string) => ({ username: "root", ip, method: "password" }) as const;

test("an entry has its fields in plain words and leads to its subject", async () => {
  node.ctx.bus.emit("app.crashed", crash);
  expect(await get("timeline")).toEqual({
    items: [
      {
        id: expect.stringMatching(/^evt_/),
        category: "app",
        type: "app.crashed",
        severity: "critical",
        title: "Photos crashed: it ran out of memory",
        count: 1,
        subject: { kind: "app", id: "app_1" },
        link: "/apps/app_1",
        timestamp: "2026-01-01T00:00:00.000Z",
      },
    ],
    next_cursor: null,
  });
});

test("what somebody did to an app names them; what it did by itself names nobody", async () => {
  await node.call("GET /api/timeline", { as: "admin" });
  const by = { user_id: "usr_admin", ip: "10.0.0.7" };
  for (const name of ["app.installed", "app.stopped", "app.started", "app.uninstalled"] as const) {
    node.ctx.bus.emit(name, { ...app, by });
    node.ctx.bus.emit(name, app);
  }
  node.ctx.bus.emit("app.stopped", { ...app, by: { ...by, purpose: "a backup" } });
  node.ctx.bus.emit("app.data_deleted", { app_id: app.app_id, name: app.name, ...by });
  expect((await titles()).toReversed()).toEqual([
    "Photos was installed by admin",
    "Photos was installed",
    "Photos was stopped by admin",
    "Photos stopped",
    "Photos was started by admin",
    "Photos started",
    "Photos was uninstalled by admin",
    "Photos was uninstalled",
    "Photos was stopped for a backup",
    "The kept data of Photos was deleted by admin",
  ]);
});

test("an entry is on disk with its cause: in one transaction, or not at all", async () => {
  const written = () => node.ctx.db.raw.query("SELECT title FROM timeline_events").all().length;
  expect(() =>
    node.ctx.db.tx(() => {
      node.ctx.bus.emit("app.crashed", crash);
      expect(written()).toBe(1);
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(written()).toBe(0);
});

describe("filters", () => {
  const hour = async () => {
    await node.ctx.bus.idle();
    await node.clock.advance(minutes(60));
  };
  beforeEach(async () => {
    node.ctx.bus.emit("app.installed", app);
    await hour();
    node.ctx.bus.emit("disk.health_changed", {
      device: "/dev/sda",
      model: "IronWolf",
      serial: "Z1",
      status: "8 reallocated",
      healthy: false,
    });
    await hour();
    node.ctx.bus.emit("auth.sign_in_failed", failed("10.0.0.9"));
    await hour();
    node.ctx.bus.emit("app.stopped", { ...app, status: "stopped" });
    await node.ctx.bus.idle();
  });

  test.each([
    ["", 4],
    ["?category=app", 2],
    ["?category=app,system", 3],
    ["?category=backup", 0],
    ["?q=PHOTOS", 2],
    ["?q=100%25", 0],
    ["?from=2026-01-01T01:00:00Z", 3],
    ["?from=2026-01-01T02:00:00%2B01:00&to=2026-01-01T03:00:00Z", 2],
    ["?to=2026-01-01T01:00:00", 1],
    ["?from=2026-01-02", 0],
    ["?category=app&q=stopped", 1],
  ])("%p", async (query, count) => {
    expect(await titles(query)).toHaveLength(count);
  });

  test.each([
    "?category=other",
    "?from=2026-02-30T00:00:00Z",
    "?category=",
    "?category=app,other",
    "?from=yesterday",
    "?to=12",
    "?limit=0",
    "?limit=501",
    "?cursor=x",
    "?from=2026-13-01",
    "?page=2",
  ])("%p is refused", async (query) => {
    expect((await node.call(`GET /api/timeline${query}`, { as: "admin" })).status).toBe(400);
  });

  test("stats count the same, for the same reader", async () => {
    const none = { app: 0, backup: 0, alert: 0, update: 0, auth: 0, system: 0 };
    expect(await get("timeline/stats")).toEqual({ ...none, app: 2, auth: 1, system: 1 });
    expect(await get("timeline/stats?q=photos&from=2026-01-01T00:30:00Z")).toEqual({ ...none, app: 1 });
    expect(await get("timeline/stats", "viewer")).toEqual({ ...none, app: 2, system: 1 });
  });
});

test("pages by keyset without gaps, also within one millisecond and while new ones come", async () => {
  for (let index = 0; index < 25; index++) {
    node.ctx.bus.emit("app.started", { ...app, name: `App ${index}` });
    if (index % 4 === 0) await node.clock.advance(1);
  }
  const all = await titles("?limit=500");
  expect(all).toHaveLength(25);
  for (const filter of ["", "&category=app", "&category=app,auth"]) {
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await get(`timeline?limit=7${filter}${cursor}`);
      seen.push(...page.items.map(({ title }: { title: string }) => title));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
      node.ctx.bus.emit("auth.signed_in", {
        user_id: "usr_admin",
        session_id: "s",
        ip: "::1",
        device: "x",
        method: "qr",
      });
    } while (cursor !== "");
    expect(seen.filter((title) => title.startsWith("App"))).toEqual(all);
    node.clock.jump(-1);
  }
});

describe("who sees what", () => {
  test("sign-ins are for admins and for the user they are of; apps and disks are for all", async () => {
    node.ctx.bus.emit("app.started", app);
    node.ctx.bus.emit("totp.disabled", { user_id: "usr_member", ip: "::1" });
    node.ctx.bus.emit("auth.sign_in_failed", failed("10.0.0.9"));
    expect(await titles("", "viewer")).toEqual(["Photos started"]);
    expect(await titles("", "member")).toEqual(["member turned two-factor off", "Photos started"]);
    expect(await titles("", "admin")).toHaveLength(3);
  });
});

test("a storm of failed sign-ins is one counted entry", async () => {
  for (let index = 0; index < 40; index++) {
    node.ctx.bus.emit("auth.sign_in_failed", failed(`10.0.0.${index}`));
    await node.clock.advance(minutes(1));
  }
  const { items } = await get("timeline");
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ count: 40, title: "Failed sign-in as root from 10.0.0.39" });
  await node.clock.advance(minutes(16));
  node.ctx.bus.emit("auth.sign_in_failed", failed("10.0.0.1"));
  expect(await titles()).toHaveLength(2);
});

test("Docker that goes and comes back is told once each, starts are not", async () => {
  const ok = {
    state: "ok",
    version: "28",
    api_version: "1.50",
    driver: "overlay2",
    message: "",
    next_step: null,
  } as const;
  const down = { ...ok, state: "unreachable", message: "Docker does not answer." } as const;
  for (const runtime of [ok, ok, down, down, ok, ok]) node.ctx.bus.emit("runtime.changed", { runtime });
  expect(await titles()).toEqual(["Docker answers again", "Docker does not answer."]);
});

describe("the start", () => {
  test("is told, and an update with both versions", async () => {
    announceStart(node.ctx);
    announceStart(node.ctx);
    announceStart({ ...node.ctx, version: "1.3.0" });
    expect(
      (await get("timeline")).items.map(({ category, title }: Record<string, string>) => [category, title]),
    ).toEqual([
      ["update", "Orrery was updated from 1.2.3 to 1.3.0"],
      ["system", "Orrery 1.2.3 started"],
      ["system", "Orrery 1.2.3 started"],
    ]);
  });
});

test("a jump of the clock is told in its own unit", async () => {
  for (const by_seconds of [86_400 * 3650, -3600 * 5, 90]) node.ctx.bus.emit("system.clock_jumped", { by_seconds });
  expect((await titles()).toSorted()).toEqual([
    "The server's clock jumped back by 5 hours",
    "The server's clock jumped forward by 3650 days",
    "The server's clock jumped forward by 90 seconds",
  ]);
});

describe("retention", () => {
  const row = (at: number, title: string) => ({
    id: `evt_${title}`,
    at,
    count: 1,
    category: "app" as const,
    type: "app.started",
    severity: "info" as const,
    title,
    subject_kind: "",
    subject_id: "",
    link: null,
    least_rank: 0,
    user_id: null,
    is_inbox: 0,
    fold: null,
  });
  const count = () => node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM timeline_events").get()?.n;
  const prune = async () => {
    const done = node.ctx.jobs.run("timeline.prune");
    for (let index = 0; index < 20; index++) await node.clock.advance(1);
    await done;
  };
  const fill = (rows: number, at: (index: number) => number) =>
    node.ctx.db.tx(() => {
      for (let index = 0; index < rows; index++) insertEvent(node.ctx.db, row(at(index), String(index)));
    });

  test("a year and a number", async () => {
    const now = node.clock.now();
    fill(40, (index) => now - days(364) + index);
    insertEvent(node.ctx.db, row(now - days(366), "old"));
    await pruneTimeline(node.ctx, new AbortController().signal, 30);
    expect(count()).toBe(30);
    const kept = await titles("?limit=500");
    expect(kept).not.toContain("old");
    expect([kept[0], kept.at(-1)]).toEqual(["39", "10"]);
  });

  test("a clock ten years ahead costs little of it", async () => {
    const now = node.clock.now();
    fill(5_000, (index) => now - index);
    node.clock.jump(days(3650));
    await prune();
    expect(count()).toBe(3_000);
  });
});

test("names of users are those of the moment", async () => {
  expect(node.ctx.users.find("usr_member")?.username).toBe("member");
  node.ctx.bus.emit("session.others_revoked", { user_id: "usr_member", count: 2, ip: "::1" });
  node.ctx.bus.emit("session.others_revoked", { user_id: "usr_gone", count: 2, ip: "::1" });
  expect(await titles()).toEqual(["Somebody ended all other sessions", "member ended all other sessions"]);
});

test("what happened to one app stands alone, also where only some may see an entry", async () => {
  const by = { user_id: "usr_admin", ip: "10.0.0.7" };
  node.ctx.bus.emit("app.installed", { ...app, by });
  node.ctx.bus.emit("app.installed", { ...app, app_id: "app_2", name: "Music", by });
  node.ctx.bus.emit("app.configured", { ...app, by, changes: ["Port for Web: 80 to 81"] });
  node.ctx.bus.emit("app.data_deleted", { app_id: app.app_id, name: app.name, ...by });
  const own = ["Photos was changed (Port for Web: 80 to 81) by admin", "Photos was installed by admin"];
  expect(await titles("?subject=app:app_1", "viewer")).toEqual(own);
  expect((await titles("?subject=app:app_1")).slice(1)).toEqual(own);
  expect(await titles("?subject=app:app_1&category=auth")).toEqual([]);
  for (const subject of ["app_1", "app:", ":x", "a".repeat(200)]) {
    const { status, body } = await node.call(`GET /api/timeline?subject=${subject}`, { as: "admin" });
    expect([subject, status, body.params?.field]).toEqual([subject, 400, "subject"]);
  }
});
