import { expect, test } from "bun:test";
import { inTheMiddle } from "../../../../tests/kit/in-the-middle.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

/** What says something of a node, and what deletes a workspace or empties a group. */
const SAYS = "UPDATE nodes SET region";
const MARKS = "UPDATE tenants SET deleted_at";
const EMPTIES = "UPDATE nodes SET group_id = NULL";
const ENROLS = "INSERT INTO nodes ";

onEachEngine("what is deleted while a node is given to it", (engine) => {
  const databases = panelDatabases(engine);
  async function world(holds: string) {
    const { db, meanwhile } = inTheMiddle(await databases.open(), holds);
    const panel = await createTestPanel(db);
    const nodes = createTestNodes(panel);
    const ada = await panel.join("ada");
    await nodes.enrol(ada.tenant_id, "boreas");
    const call = (route: string, body?: unknown, token = ada.token) => panel.call(route, { token, body });
    const kept = async (column: "client_id" | "group_id", id = "boreas") => [
      (await panel.system.get<Record<string, unknown>>(`SELECT ${column} FROM nodes WHERE id = ?`, [id]))?.[column],
      panel.live.of(ada.tenant_id).get(id)?.[column],
    ];
    return { panel, nodes, ada, call, kept, meanwhile };
  }

  async function clientWorld() {
    const { panel, ada, call, kept, meanwhile } = await world("UPDATE tenants SET name = name");
    const carl = await panel.join("carl");
    const { body } = await call("POST /api/workspaces", { name: "Client" }, carl.token);
    const id: string = body.workspace.id;
    await panel.system.run("UPDATE tenants SET parent_tenant_id = ? WHERE tenant_id = ?", [ada.tenant_id, id]);
    const drop = () => call(`DELETE /api/workspaces/${id}`, undefined, body.token);
    const give = () => call("PUT /api/fleet/instances/boreas/client", { client_id: id });
    return { id, drop, give, kept: () => kept("client_id"), meanwhile };
  }

  test("a client that is given a node in that moment stays", async () => {
    const { id, drop, give, kept, meanwhile } = await clientWorld();
    const { first, second } = await meanwhile(SAYS, give, drop);
    expect([first.status, second.status, second.body.code]).toEqual([200, 409, "workspace_in_use"]);
    expect(await kept()).toEqual([id, id]);
  });

  test("a client that is deleted in that moment is none any more", async () => {
    const { drop, give, kept, meanwhile } = await clientWorld();
    const { first, second } = await meanwhile(MARKS, drop, give);
    expect([first.status, second.status, second.body.code]).toEqual([200, 404, "client_not_found"]);
    expect(await kept()).toEqual([null, null]);
  });

  async function groupWorld() {
    const made = await world("UPDATE node_groups SET name = name");
    const id: string = (await made.call("POST /api/fleet/groups", { name: "Web" })).body.id;
    return {
      ...made,
      id,
      drop: () => made.call(`DELETE /api/fleet/groups/${id}`),
      give: () => made.call("PUT /api/fleet/instances/boreas/group", { group_id: id }),
    };
  }

  test("a group goes with the node that comes into it in that moment", async () => {
    const { drop, give, kept, meanwhile } = await groupWorld();
    const { first, second } = await meanwhile(SAYS, give, drop);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await kept("group_id")).toEqual([null, null]);
  });

  test("nobody comes into a group that is deleted in that moment", async () => {
    const { drop, give, kept, meanwhile } = await groupWorld();
    const { first, second } = await meanwhile(EMPTIES, drop, give);
    expect([first.status, second.status, second.body.code]).toEqual([200, 404, "group_not_found"]);
    expect(await kept("group_id")).toEqual([null, null]);
  });

  test("nor does a job bring one there", async () => {
    const { panel, id, call, drop, kept, meanwhile } = await groupWorld();
    const job = { action: "move_group", instance_ids: ["boreas"], params: { group_id: id } };
    const { body } = await call("POST /api/fleet/bulk", job);
    const { first } = await meanwhile(EMPTIES, drop, () => panel.runJob("bulk.carry_on"));
    const { items } = (await call(`GET /api/fleet/bulk-jobs/${body.id}`)).body;
    expect([first.status, items]).toEqual([200, [expect.objectContaining({ status: "failed" })]]);
    expect(await kept("group_id")).toEqual([null, null]);
  });

  test("a node that enrols into the group in that moment is in none", async () => {
    const { panel, nodes, ada, id, drop, kept, meanwhile } = await groupWorld();
    const token = await nodes.addToken(ada.tenant_id);
    await panel.system.run("UPDATE registration_tokens SET group_id = ? WHERE uses = 0", [id]);
    const { second } = await meanwhile(ENROLS, () => nodes.register(token, "zephyr"), drop);
    expect(second.status).toBe(200);
    expect(await kept("group_id", "zephyr")).toEqual([null, null]);
  });
});
