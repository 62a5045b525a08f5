import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { createHomes } from "./homes.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode();
  await node.tokenOf("admin");
});
afterEach(() => node.close());

test("a network is home once somebody signed in from it or went on there, also after a restart", () => {
  const { sessions } = node.ctx;
  expect(sessions.isHome("2001:db8::1")).toBe(false);
  const { refresh_token } = sessions.begin("usr_admin", { ip: "2001:db8::1", device: "x" });
  sessions.rotate(refresh_token, "192.0.2.7");
  expect(() => sessions.rotate("unknown", "192.0.2.8")).toThrow();
  const later = createHomes(node.ctx);
  const isHome = (ip: string) => [sessions.isHome(ip), later.has(ip)];
  expect(sessions.isHome("2001:db8::ffff")).toBe(true);
  expect(isHome("192.0.2.7")).toEqual([true, true]);
  expect(isHome("192.0.2.8")).toEqual([false, false]);
  expect(isHome("2001:db8:0:1::1")).toEqual([false, false]);
});

test("what was home is forgotten after thirty days", async () => {
  const homes = createHomes(node.ctx);
  expect(homes.has("192.0.2.7")).toBe(false);
  homes.add("192.0.2.7", "usr_admin");
  await node.clock.advance(30 * 86_400_000 - 1);
  expect(homes.has("192.0.2.7")).toBe(true);
  await node.clock.advance(1);
  expect(homes.has("192.0.2.7")).toBe(false);
});

test("somebody who goes on from ever other networks makes nobody else's strange", () => {
  const homes = createHomes(node.ctx);
  homes.add("192.0.2.7", "usr_admin");
  for (let no = 0; no < 10_100; no++) homes.add(`10.${no >> 8}.${no & 255}.1`, "usr_other");
  expect([homes.has("192.0.2.7"), homes.has("10.0.0.1"), homes.has("10.39.1.1")]).toEqual([true, false, true]);
});
