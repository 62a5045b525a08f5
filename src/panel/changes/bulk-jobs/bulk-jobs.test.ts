import { beforeEach, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days } from "../../../lib/duration.ts";
import type { Whose } from "../../../lib/fair-turns.ts";
import { BulkJobDetail } from "./contract.ts";
import { streamDetail } from "./present.ts";
import { itemWriter } from "./store.ts";

onEachEngine("bulk jobs", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  const id = (no: number): string => `b${count}-${no}`;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
    await panel.commands.start();
    panel.commands.stop();
    for (const no of [0, 1, 2]) await nodes.enrol(ada.tenant_id, id(no));
  });

  const begin = (body: unknown, key?: string) =>
    panel.call("POST /api/fleet/bulk", {
      token: ada.token,
      body,
      ...(key !== undefined && { headers: { "idempotency-key": key } }),
    });
  const round = () => panel.runJob("bulk.carry_on");
  const detail = async (job: string) =>
    (await panel.call(`GET /api/fleet/bulk-jobs/${job}`, { token: await panel.signIn(ada) })).body;
  const all = () => [id(0), id(1), id(2)];
  const REFRESH = { action: "run_command", params: { type: "inventory.refresh" } };

  /** A node comes for what waits, and says the same of all of it. */
  async function work(node: string, status: "succeeded" | "failed" | "running", output = ""): Promise<void> {
    const { commands = [] } = await nodes.heartbeat(node);
    await nodes.heartbeat(node, { results: commands.map((one) => ({ id: one.id, status, output, error: "no" })) });
  }

  test("is told to every node and ends as they do, whatever they say twice", async () => {
    const { status, body: job } = await begin({ ...REFRESH, instance_ids: [...all(), id(0), "foreign"] });
    expect([status, job.total, job.status, job.done, job.created_by_email]).toEqual([202, 3, "running", 0, ada.email]);
    await round();
    await work(id(0), "succeeded", "fine");
    await work(id(1), "failed");
    await work(id(2), "running");
    await round();
    const half = await detail(job.id);
    expect(half.job).toMatchObject({ succeeded: 1, failed: 1, running: 1, done: 2, progress: 66, status: "running" });
    expect(half.items.map(({ instance_id, status }: Record<string, string>) => [instance_id, status])).toEqual([
      [id(1), "failed"],
      [id(2), "running"],
      [id(0), "succeeded"],
    ]);
    const [{ command_id }] = half.items.filter(({ instance_id }: { instance_id: string }) => instance_id === id(2));
    for (const status of ["succeeded", "failed"] as const)
      await nodes.heartbeat(id(2), { results: [{ id: command_id, status, output: "late" }] });
    await round();
    await round();
    const whole = await detail(job.id);
    expect(whole.job).toMatchObject({ succeeded: 2, failed: 1, running: 0, progress: 100, status: "partial" });
    expect(whole.job.finished_at).not.toBeNull();
    expect((await nodes.heartbeat(id(0))).commands ?? []).toEqual([]);
  });

  test("of a suspended workspace begins nothing, goes on once it is opened again, and not after its day", async () => {
    const suspend = (status: string) =>
      panel.system.run("UPDATE tenants SET status = ? WHERE tenant_id = ?", [status, ada.tenant_id]);
    const told = async () => (await nodes.heartbeat(id(0))).commands?.length ?? 0;
    const { body: job } = await begin({ ...REFRESH, instance_ids: [id(0), id(1)] });
    const { body: later } = await begin({ ...REFRESH, instance_ids: [id(0)] });
    await suspend("suspended");
    await round();
    expect(await told()).toBe(0);
    await suspend("active");
    await panel.system.run("UPDATE bulk_jobs SET ends_at = 0 WHERE id = ?", [later.id]);
    await round();
    expect(await told()).toBe(1);
    expect((await detail(job.id)).job).toMatchObject({ status: "running", running: 2 });
    expect((await detail(later.id)).job).toMatchObject({ status: "failed", failed: 1 });
  });

  test("one of thousands is told whole and in order, part by part, and before each others have their turn", async () => {
    const { body: job } = await begin({ ...REFRESH, instance_ids: [id(0)] });
    const own = panel.tenant(ada.tenant_id);
    const more = Array.from({ length: 2_100 }, (_, index) => ({
      no: index + 1,
      node_id: `n${index}`,
      hostname: "host",
    }));
    await own.tx((tx) => itemWriter(panel.system.engine).insert(tx, job.id, more));
    const states = "CASE no % 4 WHEN 0 THEN 'succeeded' WHEN 1 THEN 'cancelled' WHEN 2 THEN 'queued' ELSE 'failed' END";
    await panel.system.run(`UPDATE bulk_items SET status = ${states} WHERE job_id = ?`, [job.id]);
    const turns: Whose[] = [];
    const { lists, live } = panel.ctx;
    const takeTurn = (whose: Whose) => {
      turns.push(whose);
      return Promise.resolve(true);
    };
    const actor = { ...ada, db: own, role: "org_owner", is_staff: false, is_wsl: false, session_id: "" } as const;
    const told = await (await streamDetail({ lists, live, takeTurn }, actor, job.id)).json();
    expect(Value.Check(BulkJobDetail, told)).toBe(true);
    const { items } = told as BulkJobDetail;
    expect(new Set(items.map(({ instance_id }) => instance_id)).size).toBe(2_101);
    const order = [...new Set(items.map(({ status }) => status))];
    expect(order).toEqual(["failed", "queued", "cancelled", "succeeded"]);
    expect(items.map(({ status }) => order.indexOf(status))).toEqual(
      items.map(({ status }) => order.indexOf(status)).toSorted(),
    );
    // What nodes said and five pages are read, and five parts are written.
    expect(turns).toEqual(Array.from({ length: 11 }, () => [ada.tenant_id, ada.account_id]));
    expect((await detail(job.id)).items).toHaveLength(2_101);
  });

  test("tells the beginning of what nodes said, and keeps no second copy of it", async () => {
    const { body: job } = await begin({ ...REFRESH, instance_ids: all() });
    await round();
    for (const node of all()) {
      const { commands = [] } = await nodes.heartbeat(node);
      const said = { status: "failed" as const, output: "o".repeat(60_000), error: "e".repeat(2_000) };
      await nodes.heartbeat(node, { results: commands.map((one) => ({ id: one.id, ...said })) });
    }
    await round();
    const { items } = await detail(job.id);
    expect(items).toHaveLength(3);
    for (const { output, output_truncated, error } of items)
      expect([output.length, output_truncated, error.length]).toEqual([500, true, 200]);
    const kept = await panel.system.all<{ length: number }>(
      "SELECT length(output) AS length FROM bulk_items WHERE job_id = ?",
      [job.id],
    );
    expect(kept.map(({ length }) => Number(length))).toEqual([500, 500, 500]);
  });

  test("of many who come at once with one key all get the one job", async () => {
    const asked = { ...REFRESH, instance_ids: all() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => begin(asked, `rush-${count}`)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
  });

  test("one key is one job, and another thing with it is refused", async () => {
    const first = await begin({ ...REFRESH, instance_ids: all() }, `key-${count}`);
    const again = await begin({ ...REFRESH, instance_ids: all() }, `key-${count}`);
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    const other = await begin({ ...REFRESH, instance_ids: [id(0)] }, `key-${count}`);
    expect([other.status, other.body.code]).toEqual([409, "idempotency_mismatch"]);
    expect((await begin({ ...REFRESH, instance_ids: all() }, "a b")).status).toBe(400);
    const { body } = await panel.call("GET /api/fleet/bulk-jobs", { token: ada.token });
    expect(body.jobs).toHaveLength(1);
  });

  test("what was not handed out is taken back, what was goes on and is counted", async () => {
    const { body: job } = await begin({ ...REFRESH, instance_ids: all() });
    await round();
    const { commands = [] } = await nodes.heartbeat(id(0));
    const cancelled = await panel.call(`POST /api/fleet/bulk-jobs/${job.id}/cancel`, { token: ada.token });
    expect(cancelled.body).toMatchObject({ status: "cancelled", cancelled: 2, running: 1, finished_at: null });
    for (const node of [id(1), id(2)]) expect((await nodes.heartbeat(node)).commands ?? []).toEqual([]);
    await nodes.heartbeat(id(0), { results: commands.map((one) => ({ id: one.id, status: "succeeded" as const })) });
    await round();
    expect((await detail(job.id)).job).toMatchObject({ status: "cancelled", succeeded: 1, cancelled: 2, running: 0 });
    const again = await panel.call(`POST /api/fleet/bulk-jobs/${job.id}/cancel`, { token: ada.token });
    expect([again.status, again.body.code]).toEqual([409, "bulk_job_over"]);
  });

  test("a node that stays away has failed when the day is over, and so has one that was deleted", async () => {
    const { body: job } = await begin({ ...REFRESH, instance_ids: [id(0), id(1)] });
    await round();
    await panel.call(`DELETE /api/fleet/instances/${id(1)}`, { token: ada.token });
    await panel.commands.start();
    await panel.clock.advance(days(1));
    for (let minute = 0; minute < 3; minute++) await panel.clock.advance(60_000);
    panel.commands.stop();
    await until(async () => {
      await round();
      return (await detail(job.id)).job.finished_at !== null;
    });
    const { job: after, items } = await detail(job.id);
    expect(after).toMatchObject({ status: "failed", failed: 2 });
    expect(items.every(({ error }: { error: string | null }) => error !== null)).toBe(true);
  });

  test("an app that is meant by its name gets the id that it has on each node, and what is told of it", async () => {
    const app = { app_id: "a7", name: "wiki", status: "running", image: "i", restart_count: 0 };
    await nodes.heartbeat(id(0), { hostname: "h0", apps: [app] });
    const params = { type: "app.update", payload: { app: "wiki", version: "2.0" } };
    const { body: job } = await begin({ action: "run_command", instance_ids: [id(0), id(1)], params });
    await round();
    const { commands = [] } = await nodes.heartbeat(id(0));
    expect(commands.map(({ type, payload }) => [type, payload])).toEqual([
      ["app.update", { version: "2.0", app_id: "a7" }],
    ]);
    expect((await detail(job.id)).items[0]).toMatchObject({ instance_id: id(1), error: "It has no app called wiki." });
  });

  test("tags, groups and removals are done here, on the nodes of a filter", async () => {
    const token = ada.token;
    const tagged = await begin({ action: "tag", filter: { q: "h" }, params: { tags: ["blue"] } });
    expect(tagged.body).toMatchObject({ kind: "tag", total: 3, target: { filter: { q: "h" } } });
    await round();
    expect((await detail(tagged.body.id)).job).toMatchObject({ status: "succeeded", succeeded: 3 });
    const list = async () => (await panel.call("GET /api/fleet/instances", { token })).body;
    expect((await list()).map(({ tags }: { tags: string[] }) => tags)).toEqual([["blue"], ["blue"], ["blue"]]);
    const { body: group } = await panel.call("POST /api/fleet/groups", { token, body: { name: "Racks" } });
    await begin({ action: "move_group", instance_ids: [id(0)], params: { group_id: group.id } });
    await begin({ action: "untag", instance_ids: [id(0)], params: { tags: ["blue"] } });
    await begin({ action: "remove", instance_ids: [id(2)] });
    await round();
    const left = await list();
    expect(left.map((one: { id: string }) => one.id).sort()).toEqual([id(0), id(1)]);
    expect(left.find((one: { id: string }) => one.id === id(0))).toMatchObject({ tags: [], group_id: group.id });
  });

  test("what cannot be is refused before anything begins", async () => {
    const code = async (body: unknown) => (await begin(body)).body.code;
    expect(await code({ ...REFRESH })).toBe("bulk_target_missing");
    expect(await code({ ...REFRESH, instance_ids: [id(0)], filter: { q: "h" } })).toBe("bulk_target_missing");
    expect(await code({ ...REFRESH, instance_ids: ["foreign"] })).toBe("bulk_no_nodes");
    const long = { region: Array.from({ length: 50 }, (_, no) => `${no}${"r".repeat(100)}`) };
    expect(await code({ ...REFRESH, filter: long })).toBe("invalid_request");
    expect(await code({ ...REFRESH, filter: { q: "nobody" } })).toBe("bulk_no_nodes");
    expect(await code({ action: "move_group", instance_ids: [id(0)], params: { group_id: "grp_x" } })).toBe(
      "group_not_found",
    );
    expect(await code({ action: "run_command", instance_ids: [id(0)], params: { type: "rm -rf" } })).toBe(
      "command_unknown",
    );
    expect(await code({ action: "remove", instance_ids: [id(0)], params: { all: true } })).toBe("invalid_request");
    const preview = await panel.call("POST /api/fleet/bulk/preview", {
      token: ada.token,
      body: { action: "restart", instance_ids: [...all(), "foreign"], params: { app: "wiki" } },
    });
    expect(preview.body).toMatchObject({ total: 3, without_app: 3, unknown: 1 });
  });

  test("a killed panel goes on where it was, and tells no node twice", async () => {
    const { body: job } = await begin({ ...REFRESH, instance_ids: all() });
    await panel.system.run(
      `CREATE ${engine === "sqlite" ? "TRIGGER cut BEFORE UPDATE ON bulk_jobs WHEN NEW.next_no > 0 BEGIN SELECT RAISE(ABORT, 'killed'); END" : "TABLE cut (no INTEGER)"}`,
    );
    await round();
    if (engine === "sqlite") {
      expect((await nodes.heartbeat(id(0))).commands ?? []).toEqual([]);
      await panel.system.run("DROP TRIGGER cut");
    }
    await round();
    await round();
    const { commands = [] } = await nodes.heartbeat(id(0));
    expect(commands).toHaveLength(1);
    expect((await detail(job.id)).job).toMatchObject({ running: 3 });
  });
});
