import { expect, test } from "bun:test";
import type { Manifest } from "../../templates/index.ts";
import { keepClosed, pinForward } from "./side.ts";
import type { Side } from "./update-store.ts";

const port = (container: number, bind: string, purpose = "Web"): Side["ports"][number] => ({
  ...{ service: "web", container, protocol: "tcp", host: container, bind, purpose },
});
const side = (config: object, ports: Side["ports"]): Side => ({
  ...{ version: "1", config: JSON.stringify(config), manifest: "{}", compose: "", generation: 0, ports },
});

const reachAfter = (config: string): unknown => JSON.parse(config).reach;

test("whoever goes back opens no port that is not on the network now", () => {
  const ports = [port(80, "0.0.0.0"), port(81, "0.0.0.0"), port(82, "0.0.0.0")];
  const before = side({ publish: "lan", inputs: { a: "b" } }, ports);
  const back = keepClosed(before, [port(80, "127.0.0.1"), port(81, "0.0.0.0")]);
  expect(back.ports.map(({ bind }) => bind)).toEqual(["127.0.0.1", "0.0.0.0", "127.0.0.1"]);
  expect(JSON.parse(back.config)).toMatchObject({ publish: "lan", inputs: { a: "b" } });
  expect(reachAfter(back.config)).toEqual({ "web:80": "loopback", "web:82": "loopback" });
});

test.each([
  ["nothing of the app is on the network", [port(80, "127.0.0.1")], "Other", "loopback"],
  ["it is for what was closed", [port(80, "127.0.0.1"), port(53, "0.0.0.0", "DNS")], "Web", "loopback"],
  ["the app is on the network", [port(53, "0.0.0.0", "DNS")], "DNS over TLS", undefined],
] as const)("a port with a new name where %s", (_where, rows, purpose, reach) => {
  const fresh = { service: "web", container: 853, protocol: "tcp", purpose, publish: "lan" };
  const manifest = { ports: [fresh], inputs: [], permissions: [], limits: {} } as unknown as Manifest;
  const pinned = pinForward(
    manifest,
    {},
    rows.map((row) => ({ ...row, app_id: "app_1" })),
  );
  expect(pinned.reach?.["web:853"]).toBe(reach);
});
