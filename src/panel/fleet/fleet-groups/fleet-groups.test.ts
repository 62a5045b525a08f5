import { beforeEach, expect, test } from "bun:test";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { beatBody } from "../../../../tests/kit/test-fleet.ts";
import type { HeartbeatInput } from "../../../shared/agent-protocol/index.ts";

onEachEngine("fleet groups", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  let node: string;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
    node = `node-${count}`;
    await nodes.enrol(ada.tenant_id, node, { hostname: "web-1" });
  });
  const call = (route: string, body?: unknown, { token } = ada) => panel.call(route, { token, body });
  const beat = (more: Partial<HeartbeatInput> = {}) =>
    panel.live.heartbeat(beatBody({ hostname: "web-1", version: "1.0.0" }, { more }), {
      nodeId: node,
      tenantId: ada.tenant_id,
      serial: "s",
    });
  const row = (id = node) =>
    panel.system.get<Record<string, unknown>>("SELECT region, client_id, group_id, tags FROM nodes WHERE id = ?", [id]);
  const audited = async () =>
    (
      await panel
        .tenant(ada.tenant_id)
        .all<{ action: string; details: string }>(
          "SELECT action, details FROM audit_entries WHERE tenant_id = :tenant AND action LIKE 'fleet.%' ORDER BY id",
        )
    ).map(({ action, details }) => [action, JSON.parse(details)]);

  test("groups are made, renamed, filled, counted and removed, and all is in the log", async () => {
    const made = await call("POST /api/fleet/groups", { name: " Web ", color: "#aabbcc" });
    expect(made.body).toMatchObject({ name: "Web", color: "#aabbcc", instance_count: 0, online_count: 0 });
    const { id } = made.body;
    const other = (await call("POST /api/fleet/groups", { name: "Alpha" })).body.id;
    expect((await call("POST /api/fleet/groups", { name: "Web" })).body.code).toBe("group_name_taken");
    expect((await call(`PATCH /api/fleet/groups/${other}`, { name: "Web" })).body.code).toBe("group_name_taken");
    expect((await call(`PATCH /api/fleet/groups/${id}`, { name: "Servers", color: null })).body).toMatchObject({
      name: "Servers",
      color: null,
    });
    const moved = await call(`PUT /api/fleet/instances/${node}/group`, { group_id: id });
    expect(moved.body).toMatchObject({ id: node, group_id: id });
    await beat();
    const groups = (await call("GET /api/fleet/groups")).body;
    expect(groups.map(({ name, instance_count }: Record<string, unknown>) => [name, instance_count])).toEqual([
      ["Alpha", 0],
      ["Servers", 1],
    ]);
    expect(groups[1].online_count).toBe(1);
    expect((await call(`GET /api/fleet/instances?group=Servers`)).body.total).toBe(1);
    await nodes.addToken(ada.tenant_id);
    await panel.system.run("UPDATE registration_tokens SET group_id = ? WHERE tenant_id = ?", [id, ada.tenant_id]);
    expect((await call(`DELETE /api/fleet/groups/${id}`)).body).toEqual({ id, status: "removed" });
    expect((await row())?.["group_id"]).toBeNull();
    expect(panel.live.of(ada.tenant_id).get(node)?.group_id).toBeNull();
    expect((await call(`DELETE /api/fleet/groups/${id}`)).status).toBe(404);
    expect((await audited()).map(([action]) => action)).toEqual([
      "fleet.group.add",
      "fleet.group.add",
      "fleet.group.change",
      "fleet.node.group",
      "fleet.group.remove",
    ]);
  });

  test("of two groups made at once with one name one is refused", async () => {
    const answers = await Promise.all([1, 2].map(() => call("POST /api/fleet/groups", { name: "Twice" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("a region said by hand holds until it is taken back", async () => {
    const put = (region: string) => call(`PUT /api/fleet/instances/${node}/region`, { region });
    await beat({ inventory: { region: "eu" } });
    expect((await put(" us-east ")).body).toMatchObject({ region: "us-east", region_source: "manual" });
    expect((await row())?.["region"]).toBe("us-east");
    const unknown = await put(" unknown");
    expect([unknown.status, unknown.body.message]).toEqual([400, "region: must be one line of text, and not unknown"]);
    expect((await put("")).body).toMatchObject({ region: "eu", region_source: "auto" });
    expect((await row())?.["region"]).toBeNull();
    expect(await audited()).toEqual([
      ["fleet.node.region", { region: "us-east", previous: { region: null } }],
      ["fleet.node.region", { region: null, previous: { region: "us-east" } }],
    ]);
  });

  test("a node works for clients of its own workspace only", async () => {
    const put = (client_id: string | null, person = ada, id = node) =>
      call(`PUT /api/fleet/instances/${id}/client`, { client_id }, person);
    const [mine, theirs, bob] = [
      await panel.join(`mine${count}`),
      await panel.join(`theirs${count}`),
      await panel.join(`bob${count}`),
    ];
    const adopt = "UPDATE tenants SET parent_tenant_id = ? WHERE tenant_id = ?";
    await panel.system.run(adopt, [ada.tenant_id, mine.tenant_id]);
    await panel.system.run(adopt, [bob.tenant_id, theirs.tenant_id]);
    expect((await put(mine.tenant_id)).body).toMatchObject({
      msp_client_id: mine.tenant_id,
      client_name: `mine${count}`,
    });
    const facets = (await call("GET /api/fleet/instances/page")).body.facets;
    expect(facets.clients).toEqual({ [mine.tenant_id]: 1 });
    expect((await call("GET /api/fleet/clients")).body).toEqual([
      { id: mine.tenant_id, name: `mine${count}`, instance_count: 1 },
    ]);
    const renamed = await panel.call(`PATCH /api/workspaces/${mine.tenant_id}`, {
      ...{ token: mine.token, body: { name: "Renamed" } },
    });
    expect(renamed.body.name).toBe("Renamed");
    const shown = (await call(`GET /api/fleet/instances/${node}/detail`)).body.instance;
    expect([shown.client_name, shown.msp_client_id]).toEqual(["Renamed", mine.tenant_id]);
    for (const id of [theirs.tenant_id, bob.tenant_id, ada.tenant_id, "ten_none"]) {
      const refused = await put(id);
      expect([refused.status, refused.body.code]).toEqual([404, "client_not_found"]);
    }
    // The other end: the client is the caller's, the node is not.
    const foreign = await put(theirs.tenant_id, bob);
    expect([foreign.status, foreign.body.code]).toEqual([404, "node_not_found"]);
    expect((await row())?.["client_id"]).toBe(mine.tenant_id);
    expect((await put(null)).body).toMatchObject({ msp_client_id: null, client_name: null });
  });

  test("neither nodes nor groups of another workspace can be joined", async () => {
    const bob = await panel.join(`bob${count}`);
    await nodes.enrol(bob.tenant_id, `other-${count}`);
    const theirs = (await call("POST /api/fleet/groups", { name: "Theirs" }, bob)).body.id;
    const into = await call(`PUT /api/fleet/instances/${node}/group`, { group_id: theirs });
    expect([into.status, into.body.code]).toEqual([404, "group_not_found"]);
    const before = await row(`other-${count}`);
    for (const [what, body] of [
      ["group", { group_id: null }],
      ["region", { region: "eu" }],
      ["tags", { tags: ["mine"] }],
    ] as const) {
      const refused = await call(`PUT /api/fleet/instances/other-${count}/${what}`, body);
      expect([refused.status, refused.body.code]).toEqual([404, "node_not_found"]);
    }
    expect(await row(`other-${count}`)).toEqual(before);
    expect((await call("GET /api/fleet/groups")).body).toEqual([]);
  });

  test("tags are replaced, each once", async () => {
    const put = (tags: string[]) => call(`PUT /api/fleet/instances/${node}/tags`, { tags });
    expect((await put(["prod", "edge", "prod"])).body.tags).toEqual(["prod", "edge"]);
    expect((await row())?.["tags"]).toBe('["prod","edge"]');
    expect((await put(["with space"])).status).toBe(400);
    expect((await put([])).body.tags).toEqual([]);
    const viewer = await panel.invite(ada, `viewer${count}`, "org_viewer");
    expect((await call(`PUT /api/fleet/instances/${node}/tags`, { tags: [] }, viewer)).status).toBe(403);
  });

  test("a node that is marked offline is so at once, until it is heard", async () => {
    const mark = (id = node, person = ada) => call(`POST /api/fleet/instances/${id}/mark-offline`, undefined, person);
    const pending = await mark();
    expect([pending.status, pending.body.code]).toEqual([409, "node_never_connected"]);
    await beat();
    const viewer = await panel.invite(ada, `viewer${count}`, "org_viewer");
    expect((await mark(node, viewer)).status).toBe(403);
    expect((await mark(node, await panel.join(`bob${count}`))).status).toBe(404);
    const stored = async () =>
      (await panel.system.get<{ marked_offline: number }>("SELECT marked_offline FROM nodes WHERE id = ?", [node]))
        ?.marked_offline;
    const changes = () =>
      panel
        .tenant(ada.tenant_id)
        .all("SELECT from_status, to_status FROM node_transitions WHERE tenant_id = :tenant ORDER BY at, from_status");
    const off = { status: "offline", health: "offline", degraded_reasons: ["heartbeat_missing"], marked_offline: true };
    panel.clock.advance(1_000);
    expect((await mark()).body).toMatchObject({ id: node, ...off, cpu_percent: null });
    expect(await stored()).toBe(1);
    await panel.live.settled();
    expect(await changes()).toEqual([
      { from_status: "pending", to_status: "online" },
      { from_status: "online", to_status: "offline" },
    ]);
    // What else is said of it leaves the mark.
    expect((await call(`PUT /api/fleet/instances/${node}/tags`, { tags: ["off"] })).body).toMatchObject(off);
    panel.clock.advance(1_000);
    await beat();
    const back = (await call(`GET /api/fleet/instances/${node}/detail`)).body.instance;
    expect([back.status, back.marked_offline]).toEqual(["online", undefined]);
    expect(await stored()).toBe(0);
    expect(await audited()).toEqual([
      ["fleet.node.mark_offline", { marked_offline: true, previous: { marked_offline: false } }],
      ["fleet.node.tags", { tags: ["off"], previous: { tags: [] } }],
    ]);
  });
});
