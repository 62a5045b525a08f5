import { expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import type { SqlDb } from "../../../kernel/sql/port.ts";
import { minutes } from "../../../lib/duration.ts";

const MEMBERS = 700;

/**
 * A database that notes how many rows each transaction deletes, and fails those that delete any once `allowed` of them have. What
 * `whileWaiting` says is done while a transaction waits for the row of a workspace.
 */
function watchingDeletes(db: SqlDb) {
  const seen = { deleted: [] as number[], allowed: Number.POSITIVE_INFINITY, whileWaiting: "" };
  const watch = (one: SqlDb): SqlDb => ({
    ...one,
    scoped: (settings, whose) => watch(one.scoped(settings, whose)),
    tx: (fn) =>
      one.tx(async (tx) => {
        let rows = 0;
        const run: typeof tx.run = async (sql, values) => {
          if (seen.whileWaiting !== "" && sql.startsWith("UPDATE tenants SET name = name"))
            await tx.run(seen.whileWaiting);
          const changed = await tx.run(sql, values);
          if (sql.startsWith("DELETE")) rows += changed;
          if (rows > 0 && seen.deleted.length >= seen.allowed) throw new Error("the database went away");
          return changed;
        };
        const done = await fn({ ...tx, run });
        if (rows > 0) seen.deleted.push(rows);
        return done;
      }),
  });
  return { db: watch(db), seen };
}

/** A workspace of its own that a directory filled. */
async function makeFull(panel: TestPanel, owner: Person) {
  const made = (await panel.call("POST /api/workspaces", { token: owner.token, body: { name: "Full" } })).body;
  const id: string = made.workspace.id;
  const each = `WITH RECURSIVE s(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM s WHERE v < ${MEMBERS})`;
  for (const [into, values] of [
    [
      "accounts (id, email, display_name, password_hash, created_at)",
      "'acc_' || v, v || '@full.example', 'F', 'sso', 0",
    ],
    ["members (tenant_id, id, account_id, role, created_at)", `'${id}', 'mem_' || v, 'acc_' || v, 'org_viewer', 0`],
    [
      "scim_users (tenant_id, member_id, user_name, user_key, email, display_name, state, created_at, updated_at)",
      `'${id}', 'mem_' || v, v || '', v || '', v || '@full.example', 'F', 'on', 0, 0`,
    ],
  ])
    await panel.system.run(`INSERT INTO ${into} ${each} SELECT ${values} FROM s`);
  return { id, token: made.token as string };
}

onEachEngine("a full workspace that is deleted", (engine) => {
  const databases = panelDatabases(engine);
  const open = async () => {
    const { db, seen } = watchingDeletes(await databases.open());
    const panel = await createTestPanel(db);
    const owner = await panel.join("ada");
    const full = await makeFull(panel, owner);
    const count = async (table: string) =>
      Number(
        (
          await panel.system.get<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE tenant_id = ?`, [
            full.id,
          ])
        )?.count,
      );
    const drop = (token: string) => panel.call(`DELETE /api/workspaces/${full.id}`, { token });
    seen.deleted = [];
    return { panel, owner, full, seen, count, drop };
  };

  test("goes in parts, that nobody waits for all of it", async () => {
    const { panel, owner, full, seen, count, drop } = await open();
    const gone = await drop(full.token);
    expect(gone.body).toMatchObject({ status: "deleted", user: { tenant_id: owner.tenant_id } });
    expect(Math.max(...seen.deleted)).toBe(500);
    for (const table of ["scim_users", "members", "audit_entries", "tenants"])
      expect([table, await count(table)]).toEqual([table, 0]);
    expect((await panel.call("GET /api/auth/me", { token: owner.token })).body.tenant_id).toBe(owner.tenant_id);
  });

  test("is gone for everybody from the beginning on, and what a crash left goes later", async () => {
    const { panel, owner, full, seen, count, drop } = await open();
    const viewer = await panel.signIn({ ...owner, tenant_id: full.id, member_id: "mem_700" });
    const staff = await panel.join("staff");
    await panel.system.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?", [
      staff.account_id,
    ]);
    const invited = { emails: ["new@example.org"], role: "org_viewer" };
    const { body } = await panel.call("POST /api/invitations/bulk", { token: full.token, body: invited });
    seen.allowed = seen.deleted.length + 1;
    const gone = await drop(full.token);
    expect([gone.status, gone.body.status]).toEqual([200, "deleted"]);
    expect([await count("tenants"), await count("members")]).toEqual([1, MEMBERS + 1]);

    const token: string = gone.body.token;
    const list = (await panel.call("GET /api/workspaces", { token })).body.workspaces;
    expect(list.map(({ id }: { id: string }) => id)).toEqual([owner.tenant_id]);
    expect((await drop(token)).body.code).toBe("workspace_not_found");
    expect((await panel.call(`POST /api/workspaces/${full.id}/switch`, { token })).body.code).toBe(
      "workspace_not_found",
    );
    expect((await panel.call("GET /api/team/members", { token: viewer })).body.code).toBe("workspace_suspended");
    const offer = { token: body.invited[0].url.split("#")[1] };
    expect((await panel.call("POST /api/auth/invitation/look", { body: offer })).body.code).toBe("invitation_unknown");
    const resume = await panel.call(`POST /api/staff/workspaces/${full.id}/resume`, { token: staff.token });
    expect(resume.body.code).toBe("staff_workspace_not_found");
    const found = await panel.call(`GET /api/staff/workspaces?q=${full.id}`, { token: staff.token });
    expect(found.body).toMatchObject({ items: [], total: 0 });

    seen.allowed = Number.POSITIVE_INFINITY;
    await panel.clock.advance(minutes(6));
    await panel.runJob("workspaces.finish_deletions");
    expect([await count("tenants"), await count("members")]).toEqual([0, 0]);
  });

  test("is whole when its deletion was refused", async () => {
    const { seen, full, count, drop, panel } = await open();
    await panel.system.run("UPDATE members SET role = 'org_admin' WHERE tenant_id = ? AND account_id = 'acc_ada'", [
      full.id,
    ]);
    expect((await drop(full.token)).body.code).toBe("workspace_role_missing");
    expect([seen.deleted, await count("scim_users"), await count("members")]).toEqual([[], MEMBERS, MEMBERS + 1]);
  });

  test("gets no client that waited for its deletion", async () => {
    const { panel, full, seen } = await open();
    await panel.call("PUT /api/v1/workspace/mode", { token: full.token, body: { mode: "msp" } });
    seen.whileWaiting = `UPDATE tenants SET deleted_at = 1, status = 'suspended' WHERE tenant_id = '${full.id}'`;
    const body = { name: "Client", as_client: true };
    expect((await panel.call("POST /api/workspaces", { token: full.token, body })).body.code).toBe("not_an_msp");
  });
});
