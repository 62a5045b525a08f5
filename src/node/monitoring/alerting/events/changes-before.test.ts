import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { minutes } from "../../../../lib/duration.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ session_rate: "100000" });
  await call("POST /api/alerting/channels", { name: "hook", type: "webhook", config: { url: "https://c.example/in" } });
  await call("POST /api/alerting/rules", { type: "state", metric: "app_crashed" });
});
afterEach(() => node.close());

const call = async (route: string, body?: unknown, as: "admin" | "viewer" = "admin") =>
  (await node.call(route, { as, body })).body;
const app = (id: string, name: string) => ({ app_id: id, name, template: "wiki", status: "running" as const });
const crash = () =>
  node.ctx.bus.emit("app.crashed", {
    ...app("app_1", "Wiki"),
    status: "error",
    service: "web",
    cause: "it ended",
    next_step: null,
  });
const told = () =>
  node.ctx.db.raw.query<{ body: string }, []>("SELECT body FROM alert_outbox ORDER BY seq DESC").get()?.body ?? "";
async function changes(as: "admin" | "viewer" = "admin"): Promise<string[]> {
  const [{ id }] = await call("GET /api/alerting/events", undefined, as);
  const event = await call(`GET /api/alerting/events/${id}`, undefined, as);
  return event.changes.map(({ title }: { title: string }) => title);
}

test("an alert names what was done to its app and to the server in the hour before, and nothing else", async () => {
  node.ctx.bus.emit("app.stopped", { ...app("app_1", "Wiki"), status: "stopped" });
  await node.clock.advance(minutes(61));
  node.ctx.bus.emit("app.started", app("app_2", "Photos"));
  node.ctx.bus.emit("app.started", app("app_1", "Wiki"));
  await node.clock.advance(minutes(5));
  node.ctx.bus.emit("settings.changed", { actor_id: "usr_admin", keys: ["node.name"], ip: "192.0.2.7" });
  await node.clock.advance(minutes(5));
  crash();
  expect(await changes()).toEqual(["admin changed the settings node name", "Wiki started"]);
  expect(told()).toContain(
    "In the hour before: admin changed the settings node name (01:06 UTC); Wiki started (01:01 UTC).",
  );
});

test("that nothing was done is said too", async () => {
  await node.clock.advance(minutes(61));
  crash();
  expect(await changes()).toEqual([]);
  expect(told()).toContain("Nothing was changed in the hour before.");
});

test("who signed in, and from where, is for admins and stays on the server", async () => {
  await node.clock.advance(minutes(61));
  node.ctx.bus.emit("auth.signed_in", {
    user_id: "usr_admin",
    session_id: "ses_1",
    ip: "192.0.2.7",
    device: "Firefox",
    method: "password",
  });
  await node.clock.advance(minutes(1));
  crash();
  expect(await changes()).toEqual(["admin signed in with the passphrase on Firefox (192.0.2.7)"]);
  expect(await changes("viewer")).toEqual([]);
  expect(told()).toContain("In the hour before: Somebody signed in (01:01 UTC).");
});

test("long names and long lists leave room for what else a message says", async () => {
  await node.clock.advance(minutes(61));
  const name = "W".repeat(80);
  const keys = Array.from({ length: 60 }, (_, index) => `node.setting_number_${index}`);
  node.ctx.bus.emit("app.started", app("app_1", name));
  await node.clock.advance(minutes(1));
  node.ctx.bus.emit("settings.changed", { actor_id: "usr_admin", keys, ip: "192.0.2.7" });
  await node.clock.advance(minutes(1));
  crash();
  const line = told().match(/In the hour before: .*/)?.[0] ?? "";
  expect(line).toContain(`${name} started (01:01 UTC).`);
  expect(line).toContain("admin changed the settings node setting number 0");
  expect(line).toContain("… (01:02 UTC)");
  expect(line.length).toBeLessThan(300);
  expect((await changes())[0]).toEndWith("…");
});
