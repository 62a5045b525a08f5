import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import type { SqlDb } from "../../../kernel/sql/port.ts";

/** What enrols a node, and what deletes a workspace. */
const ENROLS = "INSERT INTO nodes ";
const MARKS = "UPDATE tenants SET deleted_at";
/** What whoever enrols holds until they have. */
const HOLDS = "UPDATE node_counter SET last_no = last_no ";

/** A database on which something else goes on in the middle of a transaction: right after the statement that `after` says. */
function inTheMiddle(db: SqlDb) {
  const middle = { after: "", begin: async () => {} };
  const wanting = new Set<() => void>();
  /** Resolves when the next one asks for what whoever enrols holds. */
  const isWanted = () => new Promise<void>((resolve) => wanting.add(resolve));
  const watch = (one: SqlDb): SqlDb => ({
    ...one,
    scoped: (settings, whose) => watch(one.scoped(settings, whose)),
    tx: (fn) =>
      one.tx((tx) => {
        const run: typeof tx.run = async (sql, values) => {
          if (sql.startsWith(HOLDS)) for (const resolve of wanting) resolve();
          const changed = await tx.run(sql, values);
          if (middle.after !== "" && sql.startsWith(middle.after)) {
            middle.after = "";
            await middle.begin();
          }
          return changed;
        };
        return fn({ ...tx, run });
      }),
  });
  return { db: watch(db), middle, isWanted };
}

onEachEngine("the nodes of a workspace that is deleted", (engine) => {
  const databases = panelDatabases(engine);
  async function world() {
    const { db, middle, isWanted } = inTheMiddle(await databases.open());
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
    /** Begins the one, and the other in the middle of it, which goes on until it waits; SQLite begins it after that. */
    const meanwhile = async <One, Other>(after: string, one: () => Promise<One>, other: () => Promise<Other>) => {
      const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      Object.assign(middle, {
        after,
        begin: () => {
          reached.resolve();
          return goesOn.promise;
        },
      });
      const first = one();
      await reached.promise;
      const wanted = isWanted();
      const second = other();
      if (engine === "postgres") await Promise.race([wanted, second]);
      goesOn.resolve();
      return { first: await first, second: await second };
    };
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
