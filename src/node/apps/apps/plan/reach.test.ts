import { expect, test } from "bun:test";
import { ownAddresses } from "../../../../kernel/host/addresses.ts";
import type { Manifest } from "../../templates/index.ts";
import { resolveReach, visitorOf } from "./reach.ts";

test.each([
  ["127.0.0.1", "localhost:8420", "loopback"],
  ["::1", "[::1]:8420", "loopback"],
  ["127.0.0.1", null, "loopback"],
  // A proxy that we were not told of passes on what others ask.
  ["127.0.0.1", "atlas.example.com", "lan"],
  ["192.0.2.7", "atlas.local:8420", "lan"],
  // A name is the caller's word, an address is not.
  ["192.0.2.7", "localhost", "lan"],
  ["unknown", "localhost", null],
  ["", null, null],
] as const)("whoever comes from %s to %s sits at %s", (ip, host, near) => {
  expect(visitorOf(ip, host).near).toBe(near);
});

test("this machine's other addresses are this machine", () => {
  const own = ownAddresses().find(({ isInternal, address }) => !isInternal && !address.startsWith("fe80"));
  if (own) expect(visitorOf(own.address, "127.0.0.1:8420").near).toBe("loopback");
});

const port = (publish: "proxy" | "loopback" | "lan" | "public", container: number) => ({
  service: "web",
  container,
  purpose: "Web",
  publish,
});
const manifest = {
  ports: [port("proxy", 80), port("loopback", 5432), port("lan", 53), port("public", 25)],
} as Manifest;
const from = (near: "loopback" | "lan" | null, config = {}, setting = "visitor") =>
  Object.values(resolveReach({ settings: { get: () => setting } as never }, manifest, config, { near, ip: "" }));

test("an app is reached from where its admin sits; what a template says itself holds", () => {
  expect(from("lan")).toEqual(["lan", "loopback", "lan", "lan"]);
  expect(from("loopback")).toEqual(["loopback", "loopback", "lan", "lan"]);
  expect(from(null)).toEqual(["loopback", "loopback", "lan", "lan"]);
});

test("a setting that somebody chose comes before the visitor, the admin's word before all", () => {
  expect(from("lan", {}, "loopback")).toEqual(["loopback", "loopback", "lan", "lan"]);
  expect(from("loopback", {}, "lan")).toEqual(["lan", "loopback", "lan", "lan"]);
  expect(from("lan", { publish: "loopback" })).toEqual(Array(4).fill("loopback"));
  expect(from("loopback", { publish: "loopback", reach: { "web:5432": "lan" } })[1]).toBe("lan");
});
