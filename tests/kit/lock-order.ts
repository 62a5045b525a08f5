import type { Driver, Session, SqlValue } from "../../src/kernel/sql/port.ts";

const ACCOUNT = "UPDATE accounts SET email = email WHERE id = ?";
const WORKSPACE = "UPDATE tenants SET name = name WHERE tenant_id = ?";
const NEW_ACCOUNT = "INSERT INTO accounts (id,";

/**
 * The same engine, which refuses to hold rows still in another order than all others do: the one account that a change is about, then
 * workspaces. In two orders two transactions wait for each other. Accounts that a transaction made itself are nobody's to wait for.
 */
export function watchingLocks(driver: Driver): Driver {
  return {
    ...driver,
    transaction: (scope, work) => driver.transaction(scope, (session) => work(watched(session))),
  };
}

function watched(session: Session): Session {
  const made = new Set<unknown>();
  const workspaces = new Set<unknown>();
  let account: unknown = null;
  function look(sql: string, [first = null]: readonly SqlValue[]): void {
    if (sql.startsWith(NEW_ACCOUNT)) made.add(first);
    if (sql === WORKSPACE) workspaces.add(first);
    if (sql !== ACCOUNT || first === account || made.has(first)) return;
    if (account !== null) throw new Error("a second account is held still in one transaction");
    if (workspaces.size > 0) throw new Error("an account is held still after a workspace");
    account = first;
  }
  return {
    ...session,
    run: (sql, values) => {
      look(sql, values);
      return session.run(sql, values);
    },
  };
}
