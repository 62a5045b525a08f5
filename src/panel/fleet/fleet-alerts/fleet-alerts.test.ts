import { beforeEach, expect, test } from "bun:test";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { beatBody } from "../../../../tests/kit/test-fleet.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Whose } from "../../../lib/fair-turns.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import { listAlertGroups } from "./acknowledge.ts";
import type { AlertGroup, AlertGroups } from "./contract.ts";

onEachEngine("fleet alerts", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let ada: Visit["ada"];
  let count: number;
  beforeEach(async () => {
    ({ panel, ada, count } = await visit());
  });
  const call = async (route: string, body?: unknown, person = ada) =>
    panel.call(route, { token: await panel.signIn(person), body });
  const read = async (): Promise<AlertGroups> => (await call("GET /api/fleet/alerts/groups")).body;
  const idOf = (no: number): string => `al${count}-${no}`;
  const beat = async (no: number, cpu = 5): Promise<void> => {
    const facts = panel.live.of(ada.tenant_id).get(idOf(no));
    if (!facts) throw new Error(`there is no node ${no}`);
    await panel.live.heartbeat(beatBody(facts, { cpu }), { nodeId: facts.id, tenantId: ada.tenant_id, serial: "s" });
  };
  const grow = async (no: number, facts: Partial<NodeFacts> = {}, cpu = 5): Promise<void> => {
    const own = { id: idOf(no), tenant_id: ada.tenant_id, hostname: `host-${no}` };
    panel.live.put(nodeFacts(9_000 * count + no, { ...own, ...facts }));
    await beat(no, cpu);
  };
  const acknowledge = ({ rule, region, since, latest }: AlertGroup, more: Record<string, unknown> = {}) =>
    call("POST /api/fleet/alerts/acknowledge", { rule, region, since, latest, ...more });

  test("a fleet that is well has no groups", async () => {
    await grow(1);
    const open = { critical: 0, warning: 0, info: 0 };
    expect(await read()).toEqual({ groups: [], total: 0, alerts: 0, acknowledged: 0, open });
  });

  test("six that fall silent together in one region are one cause, another region and an old silence are others", async () => {
    await grow(9, { region: "ap-south" });
    await panel.clock.advance(minutes(30));
    for (const no of [1, 2, 3, 4, 5, 6]) {
      await grow(no, { region: "ap-south" });
      await panel.clock.advance(seconds(20));
    }
    const since = new Date(panel.clock.now() - seconds(120)).toISOString();
    await grow(7, { region: "eu" });
    await panel.clock.advance(minutes(11));
    await grow(8, {}, 96);
    const { groups, alerts, open } = await read();
    expect(groups.map(({ rule, region, count: nodes }) => [rule, region, nodes])).toEqual([
      ["heartbeat_missing", "eu", 1],
      ["heartbeat_missing", "ap-south", 6],
      ["heartbeat_missing", "ap-south", 1],
      ["cpu_high", null, 1],
    ]);
    expect([alerts, open]).toEqual([9, { critical: 8, warning: 1, info: 0 }]);
    const [, six] = groups;
    expect(six).toMatchObject({ severity: "critical", kind: "node.offline", acknowledged: 0, since });
    expect(six?.alerts.map(({ hostname }) => hostname)).toEqual([1, 2, 3, 4, 5, 6].map((no) => `host-${no}`));
  });

  test("of thousands that are silent all are told as they are, and others have their turn meanwhile", async () => {
    const ids = Array.from({ length: 2_500 }, (_, no) => idOf(10 + no));
    for (const [no, id] of ids.entries())
      panel.live.put(nodeFacts(9_000 * count + 10 + no, { id, tenant_id: ada.tenant_id, region: `r${no % 2}` }));
    const { lists, live } = panel.ctx;
    const turns: Whose[] = [];
    const takeTurn = (whose: Whose) => {
      turns.push(whose);
      return Promise.resolve(true);
    };
    const own = { db: panel.tenant(ada.tenant_id), role: "org_owner", is_staff: false, is_wsl: false } as const;
    const told = await listAlertGroups({ lists, live, takeTurn }, { ...ada, ...own, session_id: "" }, 200);
    expect([told.alerts, told.total, told.open.info]).toEqual([2_500, 2, 2_500]);
    for (const { alerts, count: nodes } of told.groups) {
      expect([alerts.length, nodes]).toEqual([50, 1_250]);
      const named = alerts.map(({ instance_id }) => instance_id);
      expect(named).toEqual(named.toSorted());
    }
    // While nodes are looked at, alerts are told apart and put in order.
    expect(turns.length).toBeGreaterThan(8);
    expect(turns[0]).toEqual([ada.tenant_id, ada.account_id]);
    for (const id of ids) panel.live.remove(id);
  });

  test("what somebody knows of stays, goes behind the rest and says who; what begins later is news", async () => {
    for (const no of [1, 2, 3]) await grow(no, { region: "eu" });
    await panel.clock.advance(minutes(11));
    const [group] = (await read()).groups;
    if (!group) throw new Error("there is no group");
    expect((await acknowledge(group, { instance_id: idOf(2) })).body).toEqual({ acknowledged: 1 });
    const [partly] = (await read()).groups;
    expect(partly?.alerts.map(({ hostname }) => hostname)).toEqual(["host-1", "host-3", "host-2"]);
    expect(partly).toMatchObject({ count: 3, acknowledged: 1 });
    expect((await acknowledge(group)).body).toEqual({ acknowledged: 2 });
    expect((await acknowledge(group)).body).toEqual({ acknowledged: 0 });
    const whole = await read();
    expect(whole).toMatchObject({ alerts: 3, acknowledged: 3, open: { critical: 0, warning: 0, info: 0 } });
    const at = new Date(panel.clock.now()).toISOString();
    expect(whole.groups[0]?.alerts[0]?.acknowledged).toEqual({ at, by: `ada${count}` });
    for (const no of [1, 2, 3]) await beat(no);
    expect((await acknowledge(group)).body.code).toBe("alert_not_open");
    await panel.clock.advance(minutes(11));
    expect(await read()).toMatchObject({ alerts: 3, acknowledged: 0, open: { critical: 3 } });
    const sql = "SELECT details FROM audit_entries WHERE tenant_id = :tenant AND action = 'fleet.alert.acknowledge'";
    const rows = await panel.tenant(ada.tenant_id).all<{ details: string }>(sql);
    expect(rows.map(({ details }) => JSON.parse(details).instances).toSorted()).toEqual([1, 2]);
  });

  test("whoever may only read sees the groups and acknowledges nothing", async () => {
    await grow(1);
    await panel.clock.advance(minutes(11));
    const [group] = (await read()).groups;
    const { token } = await panel.invite(ada, `viewer${count}`, "org_viewer");
    expect((await panel.call("GET /api/fleet/alerts/groups", { token })).body.total).toBe(1);
    const { rule, region = null, since, latest } = group ?? {};
    const body = { rule, region, since, latest };
    expect((await panel.call("POST /api/fleet/alerts/acknowledge", { token, body })).status).toBe(403);
  });

  test("nobody acknowledges what has not begun yet", async () => {
    await grow(1);
    await panel.clock.advance(minutes(11));
    const [group] = (await read()).groups;
    if (!group) throw new Error("there is no group");
    expect((await acknowledge(group, { latest: "9999-12-31T23:59:59Z" })).body).toEqual({ acknowledged: 1 });
    await beat(1);
    await grow(2);
    await panel.clock.advance(minutes(11));
    expect(await read()).toMatchObject({ alerts: 2, acknowledged: 0 });
  });

  test("acknowledgements that stand for nothing any more go with the next one", async () => {
    await grow(1);
    await panel.clock.advance(minutes(11));
    const [group] = (await read()).groups;
    if (group) await acknowledge(group);
    await grow(2, { region: "eu" });
    await beat(1);
    await panel.clock.advance(minutes(11));
    const [one, two] = (await read()).groups;
    expect([one?.acknowledged, two?.acknowledged]).toEqual([0, 0]);
    if (one) await acknowledge(one);
    const sql = "SELECT node_id FROM alert_acknowledgements WHERE tenant_id = :tenant";
    expect(await panel.tenant(ada.tenant_id).all(sql)).toHaveLength(1);
  });
});
