import { expect, test } from "bun:test";
import { useDirectories } from "../../../../tests/kit/scim-directory.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { forgetAccounts } from "./forget-accounts-store.ts";

onEachEngine("accounts that only a directory made", (engine) => {
  const { makeWorld, panel } = useDirectories(engine);

  async function makeCompany(logins: readonly string[]) {
    const world = await makeWorld();
    const { ctx, system } = panel();
    for (const login of logins) await world.addUser(login);
    const ids = new Map<string, string>();
    for (const login of logins) ids.set(login, (await ctx.tenants.findAccount(`${login}@${world.host}`))?.id ?? "");
    const idOf = (login: string) => ids.get(login) ?? "";
    return {
      ...{ world, system, idOf },
      /** Which of them have an account still. */
      async left() {
        const rows = await system.all<{ id: string }>("SELECT id FROM accounts");
        const there = new Set(rows.map(({ id }) => id));
        return logins.filter((login) => there.has(idOf(login)));
      },
      async drop() {
        const made = (await world.call("POST /api/workspaces", { name: "Next" })).body;
        const route = `DELETE /api/workspaces/${world.owner.tenant_id}`;
        expect((await panel().call(route, { token: made.token })).status).toBe(200);
      },
    };
  }

  test("go with its workspace, but for those that are elsewhere too or have a way in of their own", async () => {
    const logins = ["plain", "seen", "elsewhere", "phrase", "key"];
    const { world, system, idOf, left, drop } = await makeCompany(logins);
    const other = await panel().join(`other-${world.host}`);
    await system.run(
      "INSERT INTO members (tenant_id, id, account_id, role, status, created_at) VALUES (?, 'm', ?, 'org_viewer', 'disabled', 1)",
      [other.tenant_id, idOf("elsewhere")],
    );
    await system.run("UPDATE accounts SET password_hash = 'own' WHERE id = ?", [idOf("phrase")]);
    await system.run(
      `INSERT INTO security_keys (id, account_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
       VALUES ('k', ?, 'k', 'c', 'p', 0, '[]', 'r', 1)`,
      [idOf("key")],
    );
    const seen = idOf("seen");
    await system.run("INSERT INTO sign_in_places (account_id, place, seen_at) VALUES (?, 'p', 1)", [seen]);
    await system.run(
      "INSERT INTO account_links (hash, account_id, kind, created_at, expires_at) VALUES ('h', ?, 'reset', 1, 1)",
      [seen],
    );
    await system.run("INSERT INTO email_proofs (hash, account_id, email, expires_at) VALUES ('h', ?, 'e', 1)", [seen]);
    await panel().runJob("tenants.forget_accounts");
    expect(await left()).toEqual(logins);
    await drop();
    await panel().runJob("tenants.forget_accounts");
    expect(await left()).toEqual(["elsewhere", "phrase", "key"]);
  });

  test("go in parts, and a stop is heard between them", async () => {
    const { left, drop } = await makeCompany(["one", "two", "three"]);
    await drop();
    const { system, lists } = panel().ctx;
    await forgetAccounts({ system, lists }, AbortSignal.abort(), 1);
    expect(await left()).toHaveLength(3);
    const stop = new AbortController();
    const transactions: number[] = [];
    const counted = {
      ...system,
      tx: async <T>(run: Parameters<typeof system.tx<T>>[0]): Promise<T> => {
        const answer = await system.tx(run);
        if (transactions.push((await left()).length) === 2) stop.abort();
        return answer;
      },
    };
    await forgetAccounts({ system: counted, lists }, stop.signal, 1);
    expect(transactions).toEqual([2, 1]);
    await forgetAccounts({ system, lists }, new AbortController().signal, 1);
    expect(await left()).toEqual([]);
  });
});
