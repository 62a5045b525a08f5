import { expect, test } from "bun:test";
import { inTheMiddle } from "../../../../tests/kit/in-the-middle.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

/** What enrols a node, and what deletes a workspace. */
const ENROLS = "INSERT INTO nodes ";
const MARKS = "UPDATE tenants SET deleted_at";
/** What whoever enrols holds until they have. */
const HOLDS = "UPDATE node_counter SET last_no = last_no ";

onEachEngine("the nodes of a workspace that is deleted", (engine) => {
  const databases = panelDatabases(engine);
  async function world() {
    const { db, meanwhile } = inTheMiddle(await databases.open(), HOLDS);
    const panel = await createTestPanel(db);
    const nodes = createTestNodes(panel);
    const owner = await panel.join("ada");
    const { body } = await panel.call("POST /api/workspaces", { token: owner.token, body: { name: "Spare" } });
    const id: string = body.workspace.id;
    const drop = () => panel.call(`DELETE /api/workspaces/${id}`, { token: body.token });
    const enrolled = await nodes.addToken(id);
    const enrol = () =>
      nodes.register(enrolled, "boreas").then(
        () => "enrolled",
        ({ code }) => code,
      );
    const isKnown = () =>
      [panel.nodes.directory.find("boreas"), panel.live.of(id).get("boreas")].map((one) => one !== null);
    return { panel, nodes, owner, id, drop, enrol, isKnown, meanwhile };
  }

  test("whoever enrols in that moment is counted, and keeps the workspace", async () => {
    const { nodes, drop, enrol, isKnown, meanwhile } = await world();
    const { first, second } = await meanwhile(ENROLS, enrol, drop);
    expect([first, second.status, second.body.code]).toEqual(["enrolled", 409, "workspace_in_use"]);
    expect(isKnown()).toEqual([true, true]);
    expect((await nodes.heartbeat("boreas")).commands).toEqual([]);
  });

  test("whoever comes after the mark enrols no more", async () => {
    const { drop, enrol, isKnown, meanwhile } = await world();
    const { first, second } = await meanwhile(MARKS, drop, enrol);
    expect([first.status, first.body.status, second]).toEqual([200, "deleted", "token_refused"]);
    expect(isKnown()).toEqual([false, false]);
  });

  test("leave memory with it, also those of which no row was left", async () => {
    const { panel, id, drop, enrol, isKnown } = await world();
    await enrol();
    await panel.system.run("DELETE FROM nodes WHERE tenant_id = ?", [id]);
    expect((await drop()).status).toBe(200);
    expect(isKnown()).toEqual([false, false]);
    expect(panel.nodes.directory.count(id)).toBe(0);
  });

  test("one that only memory knows is refused when it comes, and forgotten; others are none the worse", async () => {
    const { panel, nodes, owner, id, drop, enrol, isKnown } = await world();
    await drop();
    await nodes.enrol(owner.tenant_id, "atlas");
    const row = await panel.system.get<Record<string, never>>("SELECT * FROM nodes WHERE id = 'atlas'");
    if (row) panel.nodes.directory.put({ ...row, id: "boreas", tenant_id: id, no: 99 } as never);
    expect([isKnown(), await enrol()]).toEqual([[true, true], "token_refused"]);
    const beats = await Promise.allSettled(["atlas", "boreas", "atlas", "boreas"].map((name) => nodes.heartbeat(name)));
    expect(beats.map((beat) => (beat.status === "fulfilled" ? "taken" : beat.reason.code))).toEqual([
      ...["taken", "node_deleted", "taken", "node_deleted"],
    ]);
    expect(isKnown()).toEqual([false, false]);
  });
});
