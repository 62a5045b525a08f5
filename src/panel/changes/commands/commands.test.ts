import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, hours } from "../../../lib/duration.ts";
import { createOutputRoom } from "./output-room.ts";
import { createCommandQueue } from "./queue.ts";
import { type OpenCommand, pruneSurplus } from "./queue-store.ts";

onEachEngine("commands", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  let stop: () => void;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open());
    nodes = createTestNodes(panel);
    await panel.commands.start();
    stop = () => panel.commands.stop();
  });

  const send = (person: Person, instance_ids: string[], command: string, params?: unknown) =>
    panel.call("POST /api/fleet/commands", { token: person.token, body: { instance_ids, command, params } });
  const get = async (person: Person, id: string) =>
    (await panel.call(`GET /api/fleet/commands/${id}`, { token: person.token })).body;
  /** The queue of a panel that was just started on the same tables. */
  async function restart() {
    const { log } = createTestLog();
    const { bus } = panel.ctx;
    const queue = createCommandQueue({ system: panel.system, clock: panel.clock, log, nodes: panel.nodes, bus });
    await queue.start();
    queue.stop();
    return queue;
  }

  test("a command waits, goes out with every heartbeat until its result came, and is then over", async () => {
    const ada = await panel.join("ada");
    await nodes.enrol(ada.tenant_id, "ada-1");
    const woken: string[] = [];
    const unhook = panel.commands.onQueued((id) => woken.push(id));
    const sent = await send(ada, ["ada-1", "ada-1"], "restart", { app_id: "app_1" });
    unhook();
    expect(sent).toMatchObject({
      status: 200,
      body: { skipped: [], commands: [{ instance_id: "ada-1", status: "queued" }] },
    });
    expect(woken).toEqual(["ada-1"]);
    const [{ id }] = sent.body.commands;
    expect((await restart()).waiting("ada-1")).toBe(1);
    const first = (await nodes.heartbeat("ada-1")).commands;
    expect(first).toEqual([{ id, type: "app.restart", generation: panel.clock.now(), payload: { app_id: "app_1" } }]);
    expect((await nodes.heartbeat("ada-1")).commands).toEqual(first);
    expect(await get(ada, id)).toMatchObject({ status: "sent", created_by: ada.member_id });
    expect((await nodes.heartbeat("ada-1", { results: [{ id, status: "running" }] })).commands).toEqual([]);
    expect(await get(ada, id)).toMatchObject({ status: "running", finished_at: null });
    expect(await (await restart()).forNode({ nodeId: "ada-1", tenantId: ada.tenant_id })).toEqual([]);
    const results = [{ id, status: "succeeded", output: "done" }];
    expect((await nodes.heartbeat("ada-1", { results })).commands).toEqual([]);
    // Told again because the answer was lost, and changed meanwhile.
    await nodes.heartbeat("ada-1", { results: [{ id, status: "failed" }] });
    expect(await get(ada, id)).toMatchObject({ status: "succeeded", output: "done", error: null });
    expect((await restart()).waiting("ada-1")).toBe(0);
    const audited = await panel.system.all("SELECT details FROM audit_entries WHERE action = 'fleet.command'");
    expect(audited).toEqual([
      {
        details: JSON.stringify({
          command: "app.restart",
          params: { app_id: "app_1" },
          instances: 1,
          instance_ids: ["ada-1"],
        }),
      },
    ]);
  });

  test("ids that the workspace does not have are told without a word to the database", async () => {
    const ada = await panel.join("ada");
    await nodes.enrol(ada.tenant_id, "ada-1");
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    // Whoever writes meanwhile waits, where one transaction runs at a time.
    const held = panel.system.tx(() => over);
    const strange = Array.from({ length: 500 }, (_, no) => `strange-${no}`);
    expect(await send(ada, strange, "inventory.refresh")).toMatchObject({
      status: 404,
      body: { code: "node_not_found" },
    });
    end();
    await held;
    const { body } = await send(ada, ["ada-1", "strange-1"], "inventory.refresh");
    expect(body).toMatchObject({
      commands: [{ instance_id: "ada-1", status: "queued" }],
      skipped: [{ instance_id: "strange-1", reason: "not_found" }],
    });
  });

  test("a command that is committed after its node was deleted ends, and the next workspace of the node is told nothing", async () => {
    const [ada, ben] = [await panel.join("ada"), await panel.join("ben")];
    await nodes.enrol(ada.tenant_id, "moving");
    const [{ id }] = (await send(ada, ["moving"], "inventory.refresh")).body.commands;
    const [late] = await panel.system.all<OpenCommand>(
      "SELECT tenant_id, id, node_id, type, payload, generation, status FROM commands WHERE id = ?",
      [id],
    );
    if (!late) throw new Error("the command is not there");
    // As where transactions run side by side: the queue hears of the command last.
    panel.commands.forget([late]);
    await panel.call("DELETE /api/fleet/instances/moving", { token: ada.token });
    panel.commands.add([late]);
    await nodes.enrol(ben.tenant_id, "moving");
    expect((await nodes.heartbeat("moving")).commands).toEqual([]);
    await until(async () => (await get(ada, id)).status === "failed", { what: "the end of the command" });
    expect(await get(ada, id)).toMatchObject({ error: "The node was deleted." });
  });

  test("a workspace sends so much, is then told when to go on, and only its oldest commands that are over make room", async () => {
    const ada = await panel.join("ada");
    const ids = Array.from({ length: 10 }, (_, no) => `ada-${no}`);
    for (const id of ids) await nodes.enrol(ada.tenant_id, id);
    await send(ada, ["ada-0"], "restart", { app_id: "app_1" });
    const tag = (tags: string[]) => send(ada, ids, "tag", { tags });
    for (let no = 0; no < 49; no++) expect((await tag([`t${no}`])).status).toBe(200);
    const refused = await tag(["more"]);
    expect([refused.status, refused.body.code, Number(refused.headers.get("retry-after")) > 0]).toEqual([
      ...[429, "too_many_requests", true],
    ]);
    const job = { action: "tag", instance_ids: ids, params: { tags: ["more"] } };
    expect((await panel.call("POST /api/fleet/bulk", { token: ada.token, body: job })).status).toBe(429);
    const newest = (await panel.call("GET /api/fleet/commands?limit=7", { token: ada.token })).body.commands;
    await pruneSurplus(panel.system, 7, 0);
    const left = (await panel.call("GET /api/fleet/commands?limit=200", { token: ada.token })).body.commands;
    expect(left.map(({ id }: { id: string }) => id).slice(0, 7)).toEqual(newest.map(({ id }: { id: string }) => id));
    expect(left.slice(7)).toMatchObject([{ status: "queued", command: "app.restart" }]);
    await panel.clock.advance(hours(12));
    const again = {
      token: await panel.signIn(ada),
      body: { instance_ids: ids, command: "untag", params: { tags: ["t1"] } },
    };
    expect((await panel.call("POST /api/fleet/commands", again)).status).toBe(200);
  });

  test("an app that is meant by its name gets the id that it has on each node", async () => {
    const ada = await panel.join("ada");
    const app = (app_id: string, name: string) => ({ app_id, name, status: "running", image: "i", restart_count: 0 });
    for (const [no, apps] of [[app("a1", "wiki")], [app("b9", "wiki"), app("b2", "mail")], []].entries()) {
      await nodes.enrol(ada.tenant_id, `ada-${no}`);
      await nodes.heartbeat(`ada-${no}`, { hostname: `host-${no}`, apps });
    }
    const { body } = await send(ada, ["ada-0", "ada-1", "ada-2"], "restart", { app: "wiki" });
    expect(body.skipped).toEqual([{ instance_id: "ada-2", reason: "app_not_found" }]);
    const payloads = await Promise.all(["ada-0", "ada-1"].map(async (id) => (await nodes.heartbeat(id)).commands));
    expect(payloads.flat().map(({ payload }) => payload)).toEqual([{ app_id: "a1" }, { app_id: "b9" }]);
    await send(ada, ["ada-0"], "app.update", { app: "wiki", version: "2.0" });
    const { commands: told } = await nodes.heartbeat("ada-0");
    expect(told.at(-1)?.payload).toEqual({ version: "2.0", app_id: "a1" });
    expect((await send(ada, ["ada-0"], "restart", { app: "wiki", app_id: "a1" })).body.code).toBe("invalid_request");
    const [{ id }] = body.commands;
    expect(await get(ada, id)).toMatchObject({ hostname: "h", created_by_name: "ada" });
  });

  test("numbers of a kind rise for each node, whatever the clock does", async () => {
    const bob = await panel.join("bob");
    await nodes.enrol(bob.tenant_id, "bob-1");
    for (let i = 0; i < 3; i++) {
      await send(bob, ["bob-1"], "update", i === 2 ? { version: "9.9.9", allow_older: true } : {});
      panel.clock.jump(-hours(1));
    }
    const { commands } = await nodes.heartbeat("bob-1");
    const numbers = commands.map(({ generation }) => generation);
    expect(numbers).toEqual([0, 1, 2].map((step) => (numbers[0] ?? 0) + step));
    expect(commands[2]?.payload["allow_older"]).toBe(true);
    expect(commands.map(({ type, payload }) => [type, payload["version"]])).toEqual([
      ["update.apply", "1.2.3"],
      ["update.apply", "1.2.3"],
      ["update.apply", "9.9.9"],
    ]);
  });

  test("only what the list allows is sent, with the parameters it asks for", async () => {
    const cem = await panel.join("cem");
    await nodes.enrol(cem.tenant_id, "cem-1");
    const codes = await Promise.all(
      [
        ["rm", {}],
        ["toString", {}],
        ["app.restart", {}],
        ["app.restart", { app_id: "a", force: true }],
        ["update", { version: "1; reboot" }],
        ["update", { allow_older: "yes" }],
        ["run_command", { command: "" }],
        ["run_command", { command: "two\nlines" }],
        ["app.restart", { app_id: "\u0000" }],
        ["tag", { tags: ["two words"] }],
      ].map(async ([command, params]) => (await send(cem, ["cem-1"], String(command), params)).body.code),
    );
    expect(codes).toEqual(["command_unknown", "command_unknown", ...Array(8).fill("invalid_request")]);
    expect((await send(cem, ["cem-1"], "run_command", { command: "uptime" })).status).toBe(200);
  });

  test("only whoever may open a node's shell makes it go back to an older release, with commands and with bulk jobs", async () => {
    const fay = await panel.join("fay");
    const gus = await panel.invite(fay, "gus", "org_manager");
    await nodes.enrol(fay.tenant_id, "fay-1");
    const older = { version: "0.1.0", allow_older: true };
    const statusOf = async (person: Person, params: object) => {
      const body = { instance_ids: ["fay-1"], action: "run_command", params: { type: "update", payload: params } };
      const asked = { token: person.token, body };
      const { status, body: told } = await send(person, ["fay-1"], "update", params);
      const [preview, bulk] = [
        await panel.call("POST /api/fleet/bulk/preview", asked),
        await panel.call("POST /api/fleet/bulk", asked),
      ];
      return [status, told.code, preview.status, bulk.status];
    };
    expect(await statusOf(gus, older)).toEqual([403, "permission_missing", 403, 403]);
    expect(await statusOf(gus, { ...older, allow_older: false })).toEqual([200, undefined, 200, 202]);
    expect(await statusOf(fay, older)).toEqual([200, undefined, 200, 202]);
  });

  test("nodes of other workspaces get none, and say nothing about commands that are not theirs", async () => {
    const dan = await panel.join("dan");
    const eve = await panel.join("eve");
    await nodes.enrol(dan.tenant_id, "dan-1");
    await nodes.enrol(eve.tenant_id, "eve-1");
    expect(await send(dan, ["eve-1"], "inventory.refresh")).toMatchObject({
      status: 404,
      body: { code: "node_not_found" },
    });
    const mixed = (await send(dan, ["dan-1", "eve-1"], "inventory.refresh")).body;
    expect(mixed.skipped).toEqual([{ instance_id: "eve-1", reason: "not_found" }]);
    const [{ id }] = mixed.commands;
    expect((await nodes.heartbeat("eve-1", { results: [{ id, status: "succeeded" }] })).commands).toEqual([]);
    expect(await get(dan, id)).toMatchObject({ status: "queued" });
    expect((await get(eve, id)).code).toBe("command_not_found");
    expect((await panel.call("GET /api/fleet/commands", { token: eve.token })).body).toEqual({ commands: [] });
    const cancel = `POST /api/fleet/commands/${id}/cancel`;
    expect((await panel.call(cancel, { token: eve.token })).status).toBe(404);
  });

  test("what still waits here can be cancelled, what is out cannot", async () => {
    const fay = await panel.join("fay");
    await nodes.enrol(fay.tenant_id, "fay-1");
    const [{ id }] = (await send(fay, ["fay-1"], "inventory.refresh")).body.commands;
    const cancel = () => panel.call(`POST /api/fleet/commands/${id}/cancel`, { token: fay.token });
    expect((await cancel()).body).toMatchObject({ status: "cancelled" });
    expect((await cancel()).body.code).toBe("command_under_way");
    const log = await panel.call("GET /api/audit/logs?action=fleet.command.cancel", { token: fay.token });
    expect(log.body.entries).toMatchObject([
      { subject: { id: "fay-1" }, details: { command: "inventory.refresh", command_id: id } },
    ]);
    expect((await nodes.heartbeat("fay-1")).commands).toEqual([]);
    expect((await restart()).waiting("fay-1")).toBe(0);
    const [other] = (await send(fay, ["fay-1"], "inventory.refresh")).body.commands;
    await nodes.heartbeat("fay-1");
    const late = await panel.call(`POST /api/fleet/commands/${other.id}/cancel`, { token: fay.token });
    expect(late).toMatchObject({ status: 409, body: { params: { status: "sent" } } });
    const listed = await panel.call(`GET /api/fleet/commands?instance_id=fay-1&limit=1`, { token: fay.token });
    expect(listed.body.commands.map((row: { id: string }) => row.id)).toEqual([other.id]);
    const older = await panel.call(`GET /api/fleet/commands?before=${other.id}&status=cancelled`, { token: fay.token });
    expect(older.body.commands.map((row: { id: string }) => row.id)).toEqual([id]);
  });

  test("a queue has an end, a day is its time, and a deleted node's are over", async () => {
    const gus = await panel.join("gus");
    await nodes.enrol(gus.tenant_id, "gus-1");
    await nodes.enrol(gus.tenant_id, "gus-2");
    for (let i = 0; i < 50; i++) await send(gus, ["gus-1"], "inventory.refresh");
    const full = await send(gus, ["gus-1", "gus-2"], "inventory.refresh");
    expect(full.body.skipped).toEqual([{ instance_id: "gus-1", reason: "queue_full" }]);
    expect((await nodes.heartbeat("gus-1")).commands).toHaveLength(20);
    const [{ id }] = full.body.commands;
    await panel.call("DELETE /api/fleet/instances/gus-1", { token: gus.token });
    const abandoned = "SELECT id FROM commands WHERE tenant_id = ? AND error = 'The node was deleted.'";
    await until(async () => (await panel.system.all(abandoned, [gus.tenant_id])).length === 50, { everyMs: 5 });
    panel.clock.jump(days(1));
    await panel.clock.advance(60_000);
    const later = { ...gus, token: await panel.signIn(gus) };
    const list = async () =>
      (await panel.call("GET /api/fleet/commands?limit=200", { token: later.token })).body.commands;
    await until(async () => (await list()).every((row: { status: string }) => row.status === "failed"), { everyMs: 5 });
    expect(await get(later, id)).toMatchObject({ error: "The node did not come for it in time." });
    expect((await nodes.heartbeat("gus-2")).commands).toEqual([]);
    panel.clock.jump(days(31));
    for (let i = 0; i < 60; i++) await panel.clock.advance(60_000);
    stop();
    const last = { ...gus, token: await panel.signIn(gus) };
    await until(async () => (await get(last, id)).code === "command_not_found", { everyMs: 5 });
  });

  test("lists tell the beginning of what was said, the command all of it while there is room for it", async () => {
    const ivy = await panel.join("ivy");
    await nodes.enrol(ivy.tenant_id, "ivy-1");
    const long = "ü".repeat(60_000);
    for (let no = 0; no < 3; no++) await send(ivy, ["ivy-1"], "inventory.refresh");
    const commands = (await nodes.heartbeat("ivy-1")).commands ?? [];
    const told = commands.map(({ id }, no) => ({ id, status: "running" as const, output: `${long}${no}` }));
    await nodes.heartbeat("ivy-1", { results: told });
    const error = "e".repeat(2_000);
    const results = told.map((one) => ({ ...one, status: "failed" as const, error }));
    await nodes.heartbeat("ivy-1", { results });
    const list = await panel.call("GET /api/fleet/commands?limit=200", { token: ivy.token });
    for (const row of list.body.commands) {
      expect([row.output.length, row.output_truncated, row.error.length]).toEqual([500, true, 500]);
      expect(row.output.startsWith("üüü")).toBe(true);
    }
    const [first, ...later] = results;
    expect(await get(ivy, first?.id ?? "")).toMatchObject({ output: first?.output, output_truncated: false, error });
    await createOutputRoom(panel.system, { most: 250_000, unseen: 1, all: 1e9 }).note(1);
    const gone = await get(ivy, first?.id ?? "");
    expect([gone.output.length, gone.output_truncated]).toEqual([500, true]);
    for (const { id, output } of later) expect(await get(ivy, id)).toMatchObject({ output, output_truncated: false });
    await createOutputRoom(panel.system, { most: 0, unseen: 1, all: 1e9 }).tidy();
    for (const { id } of later) expect(await get(ivy, id)).toMatchObject({ output_truncated: true });
  });

  test("all workspaces share one room for outputs: the oldest of the largest ones go first", async () => {
    const people = [await panel.join("jim"), await panel.join("kim"), await panel.join("lea")];
    /** Has the node of somebody say so many long things; gives which commands they are of. */
    const say = async (person: Person, count: number): Promise<string[]> => {
      const node = `${person.tenant_id}-1`;
      await nodes.enrol(person.tenant_id, node);
      for (let no = 0; no < count; no++) await send(person, [node], "inventory.refresh");
      const ids = ((await nodes.heartbeat(node)).commands ?? []).map(({ id }) => id);
      const results = ids.map((id) => ({ id, status: "succeeded" as const, output: "x".repeat(1_000) }));
      await nodes.heartbeat(node, { results });
      return ids;
    };
    const said: string[][] = [];
    for (const [no, person] of people.entries()) said.push(await say(person, [5, 4, 1][no] ?? 0));
    const kept = () =>
      Promise.all(
        people.map(async (person, no) => {
          const all = await Promise.all((said[no] ?? []).map((id) => get(person, id)));
          return all.map(({ output_truncated: isGone }) => (isGone ? "-" : "x")).join("");
        }),
      );
    const room = createOutputRoom(panel.system, { most: 1_000_000, unseen: 1_000, all: 7_000 });
    await room.note(999);
    expect(await kept()).toEqual(["xxxxx", "xxxx", "x"]);
    await room.note(1);
    expect(await kept()).toEqual(["--xxx", "-xxx", "x"]);
    await createOutputRoom(panel.system, { most: 1_000_000, unseen: 1, all: 3_000 }).tidy();
    expect(await kept()).toEqual(["----x", "---x", "x"]);
  });

  test("tags are kept here: set at once, in the list and in the row", async () => {
    const hal = await panel.join("hal");
    await nodes.enrol(hal.tenant_id, "hal-1");
    const tagged = await send(hal, ["hal-1"], "tag", { tags: ["edge", "gpu"] });
    expect(tagged.body.commands).toEqual([{ id: expect.any(String), instance_id: "hal-1", status: "succeeded" }]);
    await send(hal, ["hal-1"], "untag", { tags: ["edge", "none"] });
    const row = await panel.system.get("SELECT tags FROM nodes WHERE id = 'hal-1'");
    expect(row).toEqual({ tags: '["gpu"]' });
    expect(panel.live.of(hal.tenant_id).get("hal-1")?.tags).toEqual(["gpu"]);
    expect((await nodes.heartbeat("hal-1")).commands).toEqual([]);
    const many = Array.from({ length: 50 }, (_, i) => `t${i}`);
    expect((await send(hal, ["hal-1"], "tag", { tags: many })).body.skipped).toEqual([
      { instance_id: "hal-1", reason: "too_many_tags" },
    ]);
  });
});
