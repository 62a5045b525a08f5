import { afterEach, beforeEach, expect, test } from "bun:test";
import { startImageEngine } from "../../../../../tests/kit/image-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { until } from "../../../../../tests/kit/until.ts";
import type { Manifest } from "../../templates/index.ts";
import type { PlanCheck } from "../contract.ts";
import { insertTrash, type TrashRow } from "../trash-store.ts";
import { findKeptData } from "./kept-data.ts";
import { checkPorts, checkReach } from "./port-checks.ts";
import { placePorts, type TakenPort, type WantedPort } from "./ports.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ trusted_proxies: "127.0.0.1" });
});
afterEach(() => node.close());

const plan = async (body: object, headers: Record<string, string> = {}) =>
  (await node.call("POST /api/apps/plan", { as: "admin", body: { template: "whoami", ...body }, headers })).body;
const AWAY = { "x-forwarded-for": "192.168.1.77", host: "atlas.local:8420" };
const reachOf = (body: { checks: PlanCheck[] }) => body.checks.find(({ id }) => id === "reach");

test("an app asked for from another machine can be opened there; one asked for on the server stays on it", async () => {
  const away = await plan({}, AWAY);
  expect([away.publish, away.ports[0].bind]).toEqual(["lan", "0.0.0.0"]);
  expect(reachOf(away)?.detail).toContain("Everybody who can reach this server");
  const here = await plan({});
  expect([here.publish, here.ports[0].bind, reachOf(here)?.status]).toEqual(["loopback", "127.0.0.1", "ok"]);
});

test("whoever chooses what they could not open is told so, with the way out", async () => {
  const { publish, checks } = await plan({ config: { publish: "loopback" } }, AWAY);
  expect(publish).toBe("loopback");
  expect(reachOf({ checks })).toMatchObject({ status: "warn", next_step: expect.stringContaining("your network") });
});

test("a visitor from the internet is told of the router in between", () => {
  const manifest = { main: { service: "web", port: 80, path: "/" } } as Manifest;
  const port = { service: "web", container: 80, protocol: "tcp" as const, purpose: "Web", bind: "0.0.0.0", host: 8080 };
  const told = checkReach(manifest, [port], { near: "lan", ip: "9.9.9.9" });
  expect(told.status).toBe("warn");
  expect(told.next_step).toMatch(/router|firewall/);
});

const row = (name: string, more: Partial<TrashRow> = {}): TrashRow => ({
  app_id: `app_${name}`,
  name,
  template: "whoami",
  display_name: "whoami",
  icon: "box",
  volumes: '["v"]',
  generation: 0,
  deleted_at: "2026-01-01T00:00:00.000Z",
  purge_at: "2026-01-08T00:00:00.000Z",
  ...more,
});

test("kept data is offered at the next install: that of the same name unless another or none is wished for", async () => {
  insertTrash(node.ctx.db, row("mine"));
  insertTrash(node.ctx.db, row("other", { template: "pihole" }));
  const other = await plan({});
  expect([other.name, other.restore, other.kept.map(({ app_id }: TrashRow) => app_id)]).toEqual([
    "whoami",
    null,
    ["app_mine"],
  ]);
  expect((await plan({ name: "mine" })).restore).toBe("app_mine");
  expect((await plan({ name: "mine", restore: null })).restore).toBeNull();
  const wished = await plan({ restore: "app_mine" });
  expect([wished.name, wished.restore]).toEqual(["mine", "app_mine"]);
  const renamed = await plan({ name: "new", restore: "app_mine" });
  expect([renamed.name, renamed.restore]).toEqual(["new", "app_mine"]);
});

test.each([["app_other"], ["app_none"], ["app_mine"]])("data that cannot be had is refused: %s", async (wish) => {
  insertTrash(node.ctx.db, row("mine"));
  insertTrash(node.ctx.db, row("other", { template: "pihole" }));
  // An app is being installed on it.
  await seedApp(node, "mine", { status: "installing" });
  const body = { template: "whoami", name: "new", restore: wish };
  for (const route of ["POST /api/apps/plan", "POST /api/apps"]) {
    const answer = await node.call(route, { as: "admin", body });
    expect([route, answer.status, answer.body.code]).toEqual([route, 404, "app_data_not_found"]);
  }
  expect(findKeptData(node.ctx, "whoami", "mine", undefined)).toBeNull();
});

test("data whose time is over is taken up by nobody: what was cut off may have deleted half of it", () => {
  insertTrash(node.ctx.db, row("mine", { purge_at: "2026-01-01T00:00:00.000Z" }));
  expect(findKeptData(node.ctx, "whoami", "mine", undefined)).toBeNull();
  expect(() => findKeptData(node.ctx, "whoami", "new", "app_mine")).toThrow("No data");
});

test("data that is being deleted is taken up by nobody", async () => {
  const engine = startImageEngine();
  const own = createTestNode({ docker_socket: engine.socket });
  own.ctx.runtime.start();
  await until(() => own.ctx.runtime.engine() !== null, { what: "the engine" });
  insertTrash(own.ctx.db, row("mine"));
  const take = () => findKeptData(own.ctx, "whoami", "mine", undefined)?.app_id;
  expect(take()).toBe("app_mine");
  const seen: unknown[] = ["not asked for its volumes"];
  const get = () => {
    seen.push(take());
    return [];
  };
  Object.defineProperty(engine, "volumes", { get });
  expect((await own.call("DELETE /api/apps/trash/app_mine", { as: "admin" })).status).toBe(200);
  expect(seen.at(-1)).toBeUndefined();
  own.close();
  engine.stop();
});

const dns: WantedPort = {
  service: "pihole",
  container: 53,
  protocol: "udp",
  purpose: "DNS",
  bind: "0.0.0.0",
  wanted: 53,
  isFixed: true,
  isOnHost: false,
};
const pihole = { display_name: "Pi-hole" };
const look = (address: string, lan = "192.168.1.10") => {
  const taken: TakenPort[] = [{ address, port: 53, protocol: "udp" }];
  return checkPorts(pihole, [dns], placePorts([dns], taken, lan), taken);
};

test("a resolver of the server on port 53 is named, and the app put beside it", () => {
  expect(look("127.0.0.53")).toMatchObject({ status: "warn", detail: expect.stringContaining("systemd-resolved") });
  expect(look("127.0.0.53").detail).toContain("192.168.1.10");
});

test("where there is no room beside it, the plan says how to make room", () => {
  expect(look("127.0.0.53", "127.0.0.1")).toMatchObject({
    status: "fail",
    next_step: expect.stringContaining("DNSStubListener=no"),
  });
  expect(look("0.0.0.0")).toMatchObject({ status: "fail", next_step: expect.stringContaining("ss -lntup") });
});
