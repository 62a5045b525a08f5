import { expect, spyOn, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import type { Role } from "../../access.ts";
import { createEventHub, type EventHub } from "./hub.ts";

function listen(hub: EventHub, role: Role, lastId: string | null = null) {
  const abort = new AbortController();
  const events: ServerEvent[] = [];
  const ended = (async () => {
    for await (const event of hub.read({ role, user_id: `usr_${role}` }, lastId, abort.signal)) events.push(event);
  })();
  return { events, names: () => events.map(({ event }) => event), stop: () => abort.abort(), ended };
}

const settle = () => Bun.sleep(0);

test("everybody hears what their role may hear, from the moment they came", async () => {
  const hub = createEventHub("run_1");
  hub.publish("before", { role: "viewer" }, {});
  const viewer = listen(hub, "viewer");
  const admin = listen(hub, "admin");
  await settle();
  hub.publish("for all", { role: "viewer" }, { a: 1 });
  hub.publish("for members", { role: "member" }, {});
  hub.publish("for admins", { role: "admin" }, {});
  await settle();
  expect(viewer.names()).toEqual(["hello", "for all"]);
  expect(admin.names()).toEqual(["hello", "for all", "for members", "for admins"]);
  expect(viewer.events[1]?.data).toEqual({ a: 1 });
  viewer.stop();
  await viewer.ended;
  hub.publish("after", { role: "viewer" }, {});
  expect(viewer.names()).not.toContain("after");
});

test("who took the last id with its data hears all that came since, from the first event of a run on", async () => {
  const hub = createEventHub("run_1");
  for (const known of [hub.lastId(), null]) {
    hub.publish("between", { role: "viewer" }, {});
    const reader = listen(hub, "viewer", known ?? hub.lastId());
    await settle();
    expect(reader.names()).toEqual(known === null ? ["hello"] : ["hello", "between"]);
    reader.stop();
    await reader.ended;
  }
});

test("who comes back hears what it missed, once", async () => {
  const hub = createEventHub("run_1");
  const first = listen(hub, "viewer");
  await settle();
  for (const name of ["a", "b", "c"]) hub.publish(name, { role: "viewer" }, {});
  await settle();
  first.stop();
  const id = String(first.events[2]?.id);
  hub.publish("d", { role: "viewer" }, {});
  const second = listen(hub, "viewer", id);
  await settle();
  hub.publish("e", { role: "viewer" }, {});
  await settle();
  expect(second.names()).toEqual(["hello", "c", "d", "e"]);
  const ids = second.events.slice(1).map((event) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(["other-5", "", "nonsense", "-", "run_1-1"])(
  "who comes with the id %p of elsewhere must load anew",
  async (id) => {
    const hub = createEventHub("run_1");
    hub.publish("a", { role: "viewer" }, {});
    const reader = listen(hub, "viewer", id);
    await settle();
    hub.publish("b", { role: "viewer" }, {});
    await settle();
    expect(reader.names()).toEqual(["reset", "b"]);
  },
);

test("an id from an earlier run, from the future or too old means reset", async () => {
  const old = createEventHub("run_1");
  old.publish("a", { role: "viewer" }, {});
  const before = listen(old, "viewer");
  await settle();
  const lastId = String(before.events[0]?.id);
  const hub = createEventHub("run_2");
  hub.publish("a", { role: "viewer" }, {});
  const reader = listen(hub, "viewer", lastId);
  await settle();
  expect(reader.names()).toEqual(["reset"]);
  const future = listen(old, "viewer", lastId.replace(/\d+$/, "99"));
  for (let count = 0; count < 501; count++) old.publish("x", { role: "viewer" }, {});
  const late = listen(old, "viewer", lastId);
  await settle();
  expect(future.names()[0]).toBe("reset");
  expect(late.names()[0]).toBe("reset");
});

test("nothing that happens between the first event and the next read is lost", async () => {
  for (const lastId of [null, "elsewhere-1"]) {
    const hub = createEventHub("run_1");
    hub.publish("before", { role: "viewer" }, {});
    const reader = hub
      .read({ role: "viewer", user_id: "usr_viewer" }, lastId, new AbortController().signal)
      [Symbol.asyncIterator]();
    await reader.next();
    hub.publish("meanwhile", { role: "viewer" }, {});
    expect((await reader.next()).value).toMatchObject({ event: "meanwhile" });
  }
});

test("who reads too slowly is told that it missed something, and goes on from there", async () => {
  const hub = createEventHub("run_1");
  const reader = hub
    .read({ role: "viewer", user_id: "usr_viewer" }, null, new AbortController().signal)
    [Symbol.asyncIterator]();
  await reader.next();
  for (let count = 1; count <= 600; count++) hub.publish(`e${count}`, { role: "viewer" }, {});
  const names: string[] = [];
  for (let count = 0; count < 501; count++) names.push((await reader.next()).value?.event ?? "end");
  expect(names.slice(0, 2)).toEqual(["reset", "e101"]);
  expect(names.at(-1)).toBe("e600");
});

test("over HTTP the stream carries operations to every signed-in user and resumes by Last-Event-ID", async () => {
  const node = createTestNode({ anonymous_rate: "100000" });
  const read = spyOn(node.ctx.events.hub, "read");

  /** What a user reads until the account is disabled. */
  async function readAs(role: Role, headers: Record<string, string> = {}): Promise<string> {
    const readers = read.mock.calls.length;
    const answer = node.call("GET /api/events/stream", { as: role, headers });
    while (read.mock.calls.length === readers) await settle();
    await node.call(`PATCH /api/users/usr_${role}`, { as: "admin", body: { disabled: true } });
    await node.clock.advance(15_000);
    return (await answer).body;
  }

  const lastId = /^id: (\S+)\nevent: hello$/m.exec(await readAs("viewer"))?.[1] ?? "";
  const work = node.ctx.operations.begin({ kind: "x", subject_id: "y", title: "Z", steps: [], by: null });
  work.done();
  await node.ctx.bus.idle();
  const text = await readAs("member", { "last-event-id": lastId });
  expect(text).toMatch(/event: hello[\s\S]*operation\.changed[\s\S]*"status":"running"[\s\S]*"status":"done"/);
  expect(text).toContain(work.id);
  expect((await node.call("GET /api/events/stream")).status).toBe(401);
  node.close();
});
