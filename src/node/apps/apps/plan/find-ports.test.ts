import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ImageEngine, startImageEngine } from "../../../../../tests/kit/image-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { lanAddress } from "../blueprint/blueprint.ts";
import { reservedByOthers, reservePorts } from "./find-ports.ts";
import { LOOPBACK, type PlacedPort } from "./ports.ts";

let engine: ImageEngine;
let node: TestNode;
beforeEach(async () => {
  engine = startImageEngine();
  node = createTestNode({ docker_socket: engine.socket });
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine() !== null, { what: "the engine" });
});
afterEach(() => {
  node.close();
  engine.stop();
});

const install = (body: object) => node.call("POST /api/apps", { as: "admin", body });
const placesOf = (name: string) =>
  node.ctx.db.raw
    .query<PlacedPort & { app_id: string }, [string]>(
      "SELECT p.* FROM app_ports p JOIN apps a ON a.id = p.app_id WHERE a.name = ?",
    )
    .all(name);

test("apps that are installed at the same moment have a port each", async () => {
  const names = ["one", "two", "three"];
  const told = await Promise.all(names.map((name) => install({ template: "whoami", name })));
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(names.map((name) => placesOf(name)[0]?.host)).size).toBe(3);
});

test("an app that can have one port only goes beside another app on this server's own address, or is refused", async () => {
  expect((await install({ template: "whoami", name: "one" })).status).toBe(200);
  node.ctx.db.raw.run("UPDATE app_ports SET host = 445, bind = '127.0.0.1'");
  const answer = await install({ template: "samba", name: "samba", config: { publish: "lan" } });
  if (lanAddress() === LOOPBACK) return expect(answer.body.code).toBe("app_port_taken");
  expect([answer.status, placesOf("samba").map(({ bind, host }) => `${bind}:${host}`)]).toEqual([
    200,
    [`${lanAddress()}:445`],
  ]);
});

test("what another app was given meanwhile is refused to an app that is changed or made like it", async () => {
  await install({ template: "whoami", name: "one" });
  await install({ template: "whoami", name: "two" });
  const [[mine], [other]] = [placesOf("one"), placesOf("two")];
  if (!mine || !other) throw new Error("an app has no port");
  const wish = { ...mine, host: other.host };
  expect(reservedByOthers(node.ctx.db, mine.app_id, [mine])).toEqual([]);
  expect(reservedByOthers(node.ctx.db, null, [mine])).toEqual([mine]);
  expect(() => reservePorts(node.ctx.db, mine.app_id, [wish])).toThrow(
    expect.objectContaining({ code: "app_port_taken" }),
  );
  expect(placesOf("one")).toEqual([mine]);
});
