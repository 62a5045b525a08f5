import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { days } from "../../../lib/duration.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ session_rate: "100000" });
  for (const role of ["admin", "member", "viewer"] as const) await node.tokenOf(role);
});
afterEach(() => node.close());

type As = "admin" | "member" | "viewer";
const inbox = async (as: As, query = "") => {
  await node.ctx.bus.idle();
  return (await node.call(`GET /api/inbox${query}`, { as })).body;
};
const ail = (path: string) =>
  node.ctx.bus.emit("disk.health_changed", {
    device: path,
    model: path,
    serial: null,
    status: "8 reallocated",
    healthy: false,
  });
const stolen = (user_id: string) =>
  node.ctx.bus.emit("session.refresh_reused", { user_id, session_id: "ses_1", ip: "::1" });

test("what deserves notice, newest first, with what is unread", async () => {
  ail("/a");
  ail("/b");
  node.ctx.bus.emit("app.started", { app_id: "app_1", name: "Photos", template: "x", status: "running" });
  const { items, unread, next_cursor } = await inbox("viewer");
  expect(items.map(({ title, read }: Record<string, unknown>) => [title, read])).toEqual([
    ["Disk /b needs a look: 8 reallocated", false],
    ["Disk /a needs a look: 8 reallocated", false],
  ]);
  expect([unread, next_cursor]).toEqual([2, null]);
});

test("read is each user's own: one, then all, then what comes after", async () => {
  for (const mount of ["/a", "/b", "/c"]) ail(mount);
  const [newest] = (await inbox("member")).items;
  const one = await node.call(`POST /api/inbox/${newest.id}/read`, { as: "member" });
  expect([one.status, one.body]).toEqual([200, { unread: 2 }]);
  expect((await node.call(`POST /api/inbox/${newest.id}/read`, { as: "member" })).body).toEqual({ unread: 2 });
  expect((await inbox("member")).items.map(({ read }: { read: boolean }) => read)).toEqual([true, false, false]);
  expect((await node.call("POST /api/inbox/read", { as: "member" })).body).toEqual({ unread: 0 });
  expect((await inbox("viewer")).unread).toBe(3);
  ail("/d");
  expect((await inbox("member")).unread).toBe(1);
});

test("what is for admins, or of another user, is neither listed nor counted nor readable", async () => {
  stolen("usr_member");
  stolen("usr_admin");
  expect((await inbox("admin")).unread).toBe(2);
  const mine = await inbox("member");
  expect([mine.unread, mine.items.length]).toEqual([1, 1]);
  expect((await inbox("viewer")).items).toEqual([]);
  const { status, body } = await node.call(`POST /api/inbox/${mine.items[0].id}/read`, { as: "viewer" });
  expect([status, body.code]).toEqual([404, "inbox_item_not_found"]);
});

test("pages without gaps; what is older than 30 days is in the timeline only", async () => {
  ail("/old");
  await node.ctx.bus.idle();
  await node.clock.advance(days(31));
  for (let index = 0; index < 7; index++) ail(`/${index}`);
  const first = await inbox("viewer", "?limit=4");
  const second = await inbox("viewer", `?limit=4&cursor=${first.next_cursor}`);
  const seen = [...first.items, ...second.items].map(({ subject }: { subject: { id: string } }) => subject.id);
  expect(seen).toEqual(["/6", "/5", "/4", "/3", "/2", "/1", "/0"]);
  expect([first.unread, second.next_cursor]).toEqual([7, null]);
});

test("dashboards hear of what is new and of what was read, those whom it concerns", async () => {
  const stop = new AbortController();
  const heard: Record<string, string[]> = { admin: [], member: [], viewer: [] };
  const reading = (["admin", "member", "viewer"] as const).map(async (role) => {
    for await (const { event } of node.ctx.events.hub.read({ role, user_id: `usr_${role}` }, null, stop.signal)) {
      heard[role]?.push(event);
    }
  });
  await Bun.sleep(0);
  const settle = async () => {
    await node.ctx.bus.idle();
    await Bun.sleep(0);
    const said = Object.values(heard).map((events) => events.filter((name) => name === "inbox.changed").length);
    for (const events of Object.values(heard)) events.length = 0;
    return said;
  };
  ail("/a");
  expect(await settle()).toEqual([1, 1, 1]);
  stolen("usr_member");
  expect(await settle()).toEqual([1, 1, 0]);
  await node.call("POST /api/inbox/read", { as: "member" });
  expect(await settle()).toEqual([0, 1, 0]);
  node.ctx.bus.emit("app.started", { app_id: "a", name: "b", template: "c", status: "running" });
  expect(await settle()).toEqual([0, 0, 0]);
  stop.abort();
  await Promise.all(reading);
});

test("a deleted user leaves no marks behind", async () => {
  ail("/a");
  await node.ctx.bus.idle();
  await node.call("POST /api/inbox/read", { as: "member" });
  node.ctx.bus.emit("user.deleted", { actor_id: "usr_admin", user_id: "usr_member", username: "member", ip: "::1" });
  await node.ctx.bus.idle();
  expect(node.ctx.db.raw.query("SELECT * FROM inbox_marks").all()).toEqual([]);
});

test("an alert about what was told already is no second notification", async () => {
  const notice = {
    event_id: "alt_1",
    type: "threshold",
    rule_id: "rul_1",
    rule_name: "A disk is nearly full",
    severity: "critical",
    entity: "fs:/srv",
    entity_name: "/srv",
    metric: "used_percent",
    value: 93,
    threshold: 90,
    unit: "percent",
    message: "/srv is 93% full",
    started_at: "2026-01-01T00:00:00.000Z",
    resolved_at: null,
    peak: 93,
    duration_seconds: 0,
  } as const;
  ail("/a");
  node.ctx.bus.emit("alert.fired", { ...notice, type: "state", metric: "disk_health", message: "Disk /a is ill" });
  node.ctx.bus.emit("system.disk_warning", { device: "/dev/sda1", mount_point: "/srv", used_percent: 93 });
  node.ctx.bus.emit("alert.fired", notice);
  node.ctx.bus.emit("alert.resolved", { ...notice, resolved_at: "2026-01-01T00:10:00.000Z" });
  expect((await inbox("viewer")).items.map(({ title }: { title: string }) => title)).toEqual([
    "/srv is 93% full",
    "Disk /a needs a look: 8 reallocated",
  ]);
  const timeline = (await node.call("GET /api/timeline?category=alert", { as: "viewer" })).body;
  expect(timeline.items.map(({ title }: { title: string }) => title)).toEqual([
    "Over: A disk is nearly full (/srv)",
    "/srv is 93% full",
    "Disk /a is ill",
  ]);
});
