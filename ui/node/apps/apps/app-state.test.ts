import { expect, test } from "bun:test";
import { reachOf } from "./app-state.ts";

test("an app opens where this browser can reach it", () => {
  const at = (hostname: string, protocol = "http:") => ({ hostname, protocol });
  const local = { url: "http://127.0.0.1:2201/x" };
  const lan = { url: "http://10.0.0.5:8080/" };
  expect(reachOf(local, at("127.0.0.1"))).toEqual({ kind: "open", url: "http://127.0.0.1:2201/x" });
  expect(reachOf(local, at("atlas.local"))).toEqual({ kind: "server-only" });
  expect(reachOf(lan, at("atlas.local"))).toEqual({ kind: "open", url: "http://atlas.local:8080/" });
  expect(reachOf(lan, at("atlas.example.org", "https:"))).toEqual({ kind: "open", url: "http://10.0.0.5:8080/" });
  expect([reachOf({ url: null }, at("x")), reachOf({ url: "nonsense" }, at("x"))]).toEqual([
    { kind: "none" },
    { kind: "none" },
  ]);
});
