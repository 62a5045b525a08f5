import { expect, test } from "bun:test";
import { keepClosed } from "./side.ts";
import type { Side } from "./update-store.ts";

const port = (container: number, bind: string): Side["ports"][number] => ({
  ...{ service: "web", container, protocol: "tcp", host: container, bind, purpose: "Web" },
});
const side = (config: object, ports: Side["ports"]): Side => ({
  ...{ version: "1", config: JSON.stringify(config), manifest: "{}", compose: "", generation: 0, ports },
});

test("whoever goes back opens no port that was closed since then, and closes none", () => {
  const before = side({ publish: "lan", inputs: { a: "b" } }, [
    port(80, "0.0.0.0"),
    port(81, "0.0.0.0"),
    port(82, "0.0.0.0"),
  ]);
  const back = keepClosed(before, [port(80, "127.0.0.1"), port(81, "0.0.0.0")]);
  expect(back.ports.map(({ bind }) => bind)).toEqual(["127.0.0.1", "0.0.0.0", "0.0.0.0"]);
  expect(JSON.parse(back.config)).toMatchObject({
    publish: "lan",
    inputs: { a: "b" },
    reach: { "web:80": "loopback" },
  });
  expect(JSON.parse(back.config).reach["web:81"]).toBeUndefined();
});
