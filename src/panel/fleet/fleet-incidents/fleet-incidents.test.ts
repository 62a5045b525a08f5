import { beforeEach, expect, test } from "bun:test";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { beatBody } from "../../../../tests/kit/test-fleet.ts";
import { minutes } from "../../../lib/duration.ts";
import { deleteOld } from "./store.ts";
import { type EntryRow, insertEntry } from "./timeline-store.ts";

onEachEngine("fleet incidents", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let ada: Visit["ada"];
  let nodes: Visit["nodes"];
  let count: number;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
  });
  const idOf = (no: number): string => `in${count}-${no}`;
  const beat = async (no: number, cpu = 5): Promise<void> => {
    const facts = panel.live.of(ada.tenant_id).get(idOf(no));
    if (!facts) throw new Error(`there is no node ${no}`);
    await panel.live.heartbeat(beatBody(facts, { cpu }), { nodeId: facts.id, tenantId: ada.tenant_id, serial: "s" });
  };
  const grow = async (no: number, region: string): Promise<void> => {
    const facts = nodeFacts(9_000 * count + no, {
      ...{ id: idOf(no), tenant_id: ada.tenant_id, hostname: `host-${no}`, region },
    });
    panel.live.put(facts);
    // The judge asks the table which workspaces have nodes.
    if (no === 1) await nodes.enrol(ada.tenant_id, `anchor-${count}`);
    await beat(no);
  };
  const judge = () => panel.runJob("incidents.judge");
  const told = async (): Promise<[string, string, string][]> => {
    const { body } = await panel.call("GET /api/notifications", { token: await panel.signIn(ada) });
    return body.notifications.map(({ kind, severity, title }: Record<string, string>) => [kind, severity, title]);
  };
  const later = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute++) {
      await panel.clock.advance(minutes(1));
      await judge();
    }
  };

  test("many that fall silent together are one notice; back and over, it is quiet; again soon, it is the same one", async () => {
    for (const no of [1, 2, 3]) await grow(no, "ap-south");
    await later(11);
    expect(await told()).toEqual([["node.offline", "critical", "host-1 is offline, and 2 more in ap-south"]]);
    await judge();
    expect(await told()).toHaveLength(1);
    for (const no of [1, 2, 3]) await beat(no);
    await later(1);
    for (let minute = 0; minute < 6; minute++) {
      for (const no of [1, 2, 3]) await beat(no);
      await later(1);
    }
    const rows = () =>
      panel.system.all(
        "SELECT rule, nodes_most, reopened, resolved_at IS NULL AS open FROM fleet_incidents WHERE tenant_id = ? AND region = 'ap-south'",
        [ada.tenant_id],
      );
    expect(await rows()).toMatchObject([{ rule: "heartbeat_missing", nodes_most: 3, reopened: 0 }]);
    await later(11);
    expect(await rows()).toMatchObject([{ reopened: 1 }]);
    expect((await told()).filter(([kind]) => kind === "node.offline")).toHaveLength(1);
  });

  const incidents = async (state = "open") => {
    const { body } = await panel.call(`GET /api/fleet/incidents?state=${state}`, { token: await panel.signIn(ada) });
    return body;
  };
  const detail = async (id: string) =>
    (await panel.call(`GET /api/fleet/incidents/${id}`, { token: await panel.signIn(ada) })).body;
  const kindsOf = ({ timeline }: { timeline: { kind: string }[] }): string[] => timeline.map(({ kind }) => kind);

  test("an incident tells its nodes, who has it, what was written and when it was over", async () => {
    for (const no of [1, 2]) await grow(no, "eu-west");
    await later(11);
    const { incidents: open, ...counted } = await incidents();
    expect(counted).toEqual({ open: 1, unknown: 1 });
    const [one] = open;
    expect(one).toMatchObject({
      ...{ severity: "critical", rule: "heartbeat_missing", region: "eu-west", title: "host-1 is offline", nodes: 2 },
      ...{ over_at: null, acknowledged: null, reopened: 0 },
    });
    const token = await panel.signIn(ada);
    const { rule, region, since } = one;
    await panel.call("POST /api/fleet/alerts/acknowledge", {
      token,
      body: { rule, region, since, latest: "2100-01-01T00:00:00.000Z" },
    });
    const { body: note } = await panel.call(`POST /api/fleet/incidents/${one.id}/notes`, {
      token,
      body: { text: " The switch. " },
    });
    expect(note).toMatchObject({ kind: "noted", text: "The switch.", by: ada.email.split("@")[0] });
    const known = await detail(one.id);
    expect(known.acknowledged).toMatchObject({ by: ada.email.split("@")[0] });
    expect(known.affected).toMatchObject([
      { instance_id: idOf(1), hostname: "host-1", status: "offline" },
      { instance_id: idOf(2), hostname: "host-2", status: "offline" },
    ]);
    expect(kindsOf(known)).toEqual(["noted", "acknowledged", "opened"]);
    expect((await incidents()).unknown).toBe(0);
    for (let minute = 0; minute < 7; minute++) {
      for (const no of [1, 2]) await beat(no);
      await later(1);
    }
    expect((await incidents()).incidents).toEqual([]);
    const over = await incidents("over");
    expect(over.incidents).toMatchObject([{ id: one.id, nodes: 2 }]);
    expect(over.incidents[0].over_at).not.toBeNull();
    expect(kindsOf(await detail(one.id))).toEqual(["over", "noted", "acknowledged", "opened"]);
  });

  test("half a character in a region is in no incident", async () => {
    await grow(1, "eu");
    const { tenant_id } = ada;
    const facts = nodeFacts(9_000 * count + 2, { id: idOf(2), tenant_id, region: null, region_source: null });
    panel.live.put(facts);
    const inventory = { region: "\ud800sa\u0000-\u202eeast\n" };
    const body = beatBody(facts, { isCritical: true, more: { inventory } });
    await panel.live.heartbeat(body, { nodeId: facts.id, tenantId: tenant_id, serial: "s" });
    await later(2);
    const told = (await incidents()).incidents.map(({ region }: { region: string }) => region);
    expect(told).toEqual(["sa-east"]);
  });

  test("a fleet that cannot be judged keeps nobody else's from it", async () => {
    // A table has another region than this one, so it takes its cause for a new one each time.
    await grow(1, "\ud800");
    // Hers is an incident when his is one already, which is when his fails.
    await later(4);
    const { tenant_id } = await panel.join(`eve${count}`);
    await nodes.enrol(tenant_id, `eves-${count}`);
    const hers = nodeFacts(9_000 * count + 3, { id: `eve-${count}`, tenant_id, region: "eu" });
    panel.live.put(hers);
    await panel.live.heartbeat(beatBody(hers), { nodeId: hers.id, tenantId: tenant_id, serial: "s" });
    await later(12);
    const rows = await panel.system.all("SELECT region FROM fleet_incidents WHERE tenant_id = ?", [tenant_id]);
    expect(rows).toEqual([{ region: "eu" }]);
    panel.live.remove(idOf(1));
  });

  test("what somebody has already when it becomes an incident, they have", async () => {
    await grow(1, "sa-east");
    const token = await panel.signIn(ada);
    for (let minute = 0; minute < 11; minute++) await panel.clock.advance(minutes(1));
    const { body } = await panel.call("GET /api/fleet/alerts/groups", { token });
    const { rule, region, since, latest } = body.groups.find(({ region }: { region: string }) => region === "sa-east");
    await panel.call("POST /api/fleet/alerts/acknowledge", { token, body: { rule, region, since, latest } });
    await later(2);
    const { incidents: open } = await incidents();
    expect(open.find(({ region }: { region: string }) => region === "sa-east")).toMatchObject({
      acknowledged: { by: ada.email.split("@")[0] },
    });
  });

  test("notes are for those who may change the fleet, not empty, and not without end", async () => {
    await grow(1, "eu");
    await later(11);
    const token = await panel.signIn(ada);
    const [one] = (await incidents()).incidents;
    const path = `POST /api/fleet/incidents/${one.id}/notes` as const;
    expect((await panel.call(path, { token, body: { text: "  " } })).status).toBe(400);
    expect((await panel.call("GET /api/fleet/incidents/inc_none", { token })).body.code).toBe("incident_not_found");
    for (let note = 0; note < 200; note++)
      await panel.system.run(
        `INSERT INTO fleet_incident_entries (tenant_id, incident_id, id, at, kind) VALUES (?, ?, ?, 0, 'noted')`,
        [ada.tenant_id, one.id, `ent_${note}`],
      );
    expect((await panel.call(path, { token, body: { text: "one more" } })).body).toMatchObject({
      code: "too_many_notes",
    });
  });

  test("what nobody knows of for half an hour is told once more, and what somebody knows of is not", async () => {
    await grow(1, "eu");
    await later(12);
    await later(31);
    const kinds = (await told()).map(([kind]) => kind);
    expect(kinds.filter((kind) => kind === "incident.escalated")).toHaveLength(1);
    await later(31);
    expect((await told()).filter(([kind]) => kind === "incident.escalated")).toHaveLength(1);
  });

  test("once back it is nobody's again: it is told once more half an hour after that, whoever had it before", async () => {
    await grow(1, "eu");
    await later(11);
    const [{ rule, region, since }] = (await incidents()).incidents;
    const body = { rule, region, since, latest: "2100-01-01T00:00:00.000Z" };
    await panel.call("POST /api/fleet/alerts/acknowledge", { token: await panel.signIn(ada), body });
    for (let minute = 0; minute < 7; minute++) {
      await beat(1);
      await later(1);
    }
    await later(11);
    const [back] = (await incidents()).incidents;
    expect(back).toMatchObject({ reopened: 1, acknowledged: null });
    const escalated = async () => (await told()).filter(([kind]) => kind === "incident.escalated").length;
    await later(25);
    expect(await escalated()).toBe(0);
    await later(6);
    expect(await escalated()).toBe(1);
  });

  test("nodes that are elsewhere each minute open no incidents without end, and what is over is kept up to a number", async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const no of numbers) await grow(no, "eu");
    await later(11);
    for (let minute = 0; minute < 5; minute++) {
      for (const no of numbers) {
        const facts = panel.live.of(ada.tenant_id).get(idOf(no));
        if (facts) panel.live.put({ ...facts, region: `r${minute}-${no}` });
      }
      await later(1);
    }
    const count = async () =>
      (await panel.system.all("SELECT id FROM fleet_incidents WHERE tenant_id = ?", [ada.tenant_id])).length;
    expect(await count()).toBe(200);
    await later(6);
    await deleteOld(panel.system, 0, 7);
    const [kept] = await panel.system.all<{ over: number; entries: number }>(
      `SELECT count(DISTINCT i.id) AS over, count(*) AS entries FROM fleet_incidents i
       JOIN fleet_incident_entries e ON e.tenant_id = i.tenant_id AND e.incident_id = i.id
       WHERE i.tenant_id = ? AND i.resolved_at IS NOT NULL`,
      [ada.tenant_id],
    );
    expect([Number(kept?.over), Number(kept?.entries)]).toEqual([7, 14]);
  });

  test("where there is not room for all, what most nodes have is an incident", async () => {
    for (let no = 1; no <= 6; no++) await grow(no, no > 3 ? "zz" : `r${no}`);
    const inAMoment = panel.clock.now() + minutes(10);
    for (let no = 0; no < 199; no++)
      await panel.system.run(
        `INSERT INTO fleet_incidents (tenant_id, id, rule, region, nodes_first, nodes_most, since, opened_at, resolved_at)
         VALUES (?, ?, 'cpu_high', ?, 1, 1, 1, 1, ?)`,
        [ada.tenant_id, `inc_before${no}`, `before${no}`, inAMoment],
      );
    await later(11);
    const rows = await panel.system.all(
      "SELECT region, nodes_most FROM fleet_incidents WHERE tenant_id = ? AND resolved_at IS NULL",
      [ada.tenant_id],
    );
    expect(rows).toEqual([{ region: "zz", nodes_most: 3 }]);
  });

  test("what happened to one incident is kept up to a number, beside its beginning and what people wrote", async () => {
    const entry = (id: number, kind: EntryRow["kind"]): EntryRow => ({
      ...{ id: `ent_${String(id).padStart(5, "0")}`, at: id, kind, member_id: "", text: "", nodes: 1 },
    });
    await panel.system.tx(async (tx) => {
      await insertEntry(tx, ada.tenant_id, "inc_long", entry(1, "opened"));
      await insertEntry(tx, ada.tenant_id, "inc_long", entry(2, "noted"));
      for (let no = 3; no <= 1_005; no++) await insertEntry(tx, ada.tenant_id, "inc_long", entry(no, "reopened"));
    });
    const rows = await panel.system.all<{ id: string }>(
      "SELECT id FROM fleet_incident_entries WHERE tenant_id = ? AND incident_id = 'inc_long' ORDER BY id",
      [ada.tenant_id],
    );
    expect(rows).toHaveLength(1_002);
    expect(rows.slice(0, 3).map(({ id }) => id)).toEqual(["ent_00001", "ent_00002", "ent_00006"]);
  });
});
