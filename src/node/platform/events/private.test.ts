import { expect, test } from "bun:test";
import { createEventHub } from "./hub.ts";

async function read(hub: ReturnType<typeof createEventHub>, user_id: string, role: "viewer" | "admin", count: number) {
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { event } of hub.read({ user_id, role }, null, stop.signal)) {
    seen.push(event);
    if (seen.length === count) stop.abort();
  }
  return seen;
}

test("what concerns one user reaches nobody else, not even an admin", async () => {
  const hub = createEventHub("run_1");
  const ada = read(hub, "usr_ada", "viewer", 3);
  const root = read(hub, "usr_root", "admin", 3);
  await Bun.sleep(0);
  hub.publish("approval.requested", { user_id: "usr_ada" }, {});
  hub.publish("approval.requested", { user_id: "" }, {});
  hub.publish("app.status", { role: "viewer" }, {});
  hub.publish("secret.thing", { role: "admin" }, {});
  expect(await ada).toEqual(["hello", "approval.requested", "app.status"]);
  expect(await root).toEqual(["hello", "app.status", "secret.thing"]);
});
