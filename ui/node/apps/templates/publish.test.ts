import { expect, test } from "bun:test";
import { publishHint, startPublish } from "./publish.ts";

test("an app is put where the reader can open it, unless it asks for a port that nobody else may reach", () => {
  const start = (hostname: string, ...publish: ("proxy" | "loopback" | "lan" | "public")[]) =>
    startPublish(
      publish.map((item) => ({ publish: item })),
      { hostname },
    );
  expect([start("127.0.0.1", "proxy"), start("localhost", "proxy"), start("[::1]", "proxy")]).toEqual(
    Array(3).fill("default"),
  );
  expect([start("10.0.0.5", "proxy"), start("atlas.local", "lan", "proxy")]).toEqual(["lan", "lan"]);
  expect([start("atlas.local"), start("atlas.local", "lan", "public")]).toEqual(["default", "default"]);
  expect([start("atlas.local", "loopback"), start("atlas.local", "proxy", "loopback")]).toEqual(["default", "default"]);
  expect(publishHint("lan", { hostname: "atlas.local" })).toContain("Everybody on your network");
  expect(publishHint("loopback", { hostname: "atlas.local" })).toContain("not on this machine");
  expect(publishHint("default", { hostname: "atlas.local" })).toBeNull();
  expect(publishHint("lan", { hostname: "localhost" })).toBeNull();
});
