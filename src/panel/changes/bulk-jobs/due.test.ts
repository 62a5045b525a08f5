import { beforeEach, expect, test } from "bun:test";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { createRounds } from "./carry-on.ts";
import { forgetOld } from "./forget-store.ts";

/** Copies of a job with one node that waits for a node that never comes. */
const COPIES = `WITH RECURSIVE copies (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM copies WHERE no < ?)`;
const JOB =
  "kind, target, params, plan, status, total, next_no, created_by, created_at, updated_at, ends_at, asked_digest";
const ITEM = "no, node_id, hostname, status, command_id, started_at";

onEachEngine("bulk jobs with something to do", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
    await panel.commands.start();
    panel.commands.stop();
    await nodes.enrol(ada.tenant_id, `d${count}`);
  });

  /** The rounds of a panel of its own on the same tables, with the transactions that they made. */
  function rounds() {
    let made = 0;
    const system: typeof panel.system = {
      ...panel.system,
      tx(run) {
        made += 1;
        return panel.system.tx(run);
      },
    };
    const run = createRounds({ ...panel.ctx, system });
    return async () => {
      made = 0;
      await run(AbortSignal.timeout(60_000));
      return made;
    };
  }
  const begin = async (token: string, node: string, body: object) =>
    (await panel.call("POST /api/fleet/bulk", { token, body: { ...body, instance_ids: [node] } })).body.id;
  const REFRESH = { action: "run_command", params: { type: "inventory.refresh" } };
  const find = async (id: string) => {
    const sql = "SELECT status, succeeded, failed, cancelled FROM bulk_jobs WHERE id = ?";
    return panel.system.get<{ status: string }>(sql, [id]);
  };
  /** Has a job wait so many times. */
  async function copy(id: string, copies: number): Promise<void> {
    const jobs = `INSERT INTO bulk_jobs (tenant_id, id, ${JOB}) ${COPIES} SELECT tenant_id, id || '-' || no, ${JOB} FROM bulk_jobs, copies WHERE id = ?`;
    const items = `INSERT INTO bulk_items (tenant_id, job_id, ${ITEM}) ${COPIES} SELECT tenant_id, job_id || '-' || copies.no, ${ITEM.replace("no", "item.no")} FROM bulk_items item, copies WHERE job_id = ?`;
    for (const sql of [jobs, items]) await panel.system.run(sql, [copies, id]);
  }

  test("thousands that wait for nodes keep no other from its turn, and cost no transaction", async () => {
    const round = rounds();
    const waiting = await begin(ada.token, `d${count}`, REFRESH);
    expect(await round()).toBe(1);
    await copy(waiting, 5_000);
    expect(await round()).toBe(0);
    const bob = await panel.join(`bob${count}`);
    await nodes.enrol(bob.tenant_id, `e${count}`);
    const tagged = await begin(bob.token, `e${count}`, { action: "tag", params: { tags: ["blue"] } });
    const told = await begin(bob.token, `e${count}`, REFRESH);
    expect(await round()).toBe(2);
    expect(await find(tagged)).toMatchObject({ status: "succeeded" });
    const { commands = [] } = await nodes.heartbeat(`e${count}`);
    await nodes.heartbeat(`e${count}`, { results: commands.map(({ id }) => ({ id, status: "succeeded" as const })) });
    expect(await round()).toBe(1);
    expect(await find(told)).toMatchObject({ status: "succeeded" });
    expect(await round()).toBe(0);
    await panel.system.run("DELETE FROM bulk_items WHERE tenant_id = ?", [ada.tenant_id]);
    await panel.system.run("DELETE FROM bulk_jobs WHERE tenant_id = ?", [ada.tenant_id]);
  });

  test("whatever ends a command wakes its job, and what a killed panel did not hear of is found all the same", async () => {
    // Others that wait stand before it.
    const others = `INSERT INTO bulk_items (tenant_id, job_id, ${ITEM}) ${COPIES}
      SELECT tenant_id, '0-' || copies.no, 0, node_id, hostname, 'sent', NULL, 0 FROM bulk_items, copies WHERE job_id = ?`;
    const open = () =>
      panel.system.get<{ id: string }>("SELECT id FROM commands WHERE tenant_id = ? AND finished_at IS NULL", [
        ada.tenant_id,
      ]);
    const ends: Record<string, () => Promise<unknown>> = {
      taken: async () => {
        const command = await open();
        return panel.call(`POST /api/fleet/commands/${command?.id}/cancel`, { token: ada.token });
      },
      killed: () =>
        panel.system.run("UPDATE commands SET status = 'failed', finished_at = 1 WHERE tenant_id = ?", [ada.tenant_id]),
      deleted: () => panel.call(`DELETE /api/fleet/instances/d${count}`, { token: ada.token }),
    };
    const woken: string[] = [];
    for (const [how, end] of Object.entries(ends)) {
      const round = rounds();
      const id = await begin(ada.token, `d${count}`, REFRESH);
      await round();
      await panel.system.run("DELETE FROM bulk_items WHERE job_id LIKE '0-%'");
      await panel.system.run(others, [1_100, id]);
      await end();
      await until(async () => (await open()) === null);
      await panel.system.tx(async () => {});
      if ((await round()) === 1) woken.push(how);
      for (let left = 3; left > 0; left--) await round();
      expect([how, (await find(id))?.status]).toEqual([how, "failed"]);
    }
    expect(woken).toEqual(["taken", "deleted"]);
  });

  test("what thousands of nodes ended with is taken over part by part", async () => {
    const round = rounds();
    const id = await begin(ada.token, `d${count}`, REFRESH);
    await round();
    const more = `INSERT INTO bulk_items (tenant_id, job_id, ${ITEM}) ${COPIES}
      SELECT tenant_id, job_id, ${ITEM.replace("no", "copies.no")} FROM bulk_items, copies WHERE job_id = ?`;
    await panel.system.run(more, [1_100, id]);
    await panel.system.run("UPDATE bulk_jobs SET total = 1101, next_no = 1101 WHERE id = ?", [id]);
    const { commands = [] } = await nodes.heartbeat(`d${count}`);
    await nodes.heartbeat(`d${count}`, { results: commands.map(({ id }) => ({ id, status: "succeeded" as const })) });
    expect(await round()).toBe(3);
    expect(await find(id)).toMatchObject({ status: "succeeded", succeeded: 1_101 });
  });

  test("what is long over is forgotten part by part", async () => {
    const id = await begin(ada.token, `d${count}`, { action: "tag", params: { tags: ["blue"] } });
    await rounds()();
    const more = `INSERT INTO bulk_items (tenant_id, job_id, ${ITEM}) ${COPIES}
      SELECT tenant_id, job_id, ${ITEM.replace("no", "copies.no")} FROM bulk_items, copies WHERE job_id = ?`;
    await panel.system.run(more, [1_100, id]);
    const left = async () =>
      Number((await panel.system.get<{ n: number }>("SELECT count(*) AS n FROM bulk_items WHERE job_id = ?", [id]))?.n);
    await panel.clock.advance(days(30) - minutes(1));
    await panel.runJob("bulk.forget");
    expect(await left()).toBe(1_101);
    await panel.clock.advance(minutes(2));
    let largest = 0;
    const system: typeof panel.system = {
      ...panel.system,
      async run(sql, values) {
        const changed = await panel.system.run(sql, values);
        largest = Math.max(largest, changed);
        return changed;
      },
    };
    await forgetOld({ system, clock: panel.clock }, AbortSignal.timeout(60_000));
    expect([await left(), await find(id)]).toEqual([0, null]);
    expect(largest).toBe(500);
  });
});
