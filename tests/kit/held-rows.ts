import type { TestPanel } from "./panel-app.ts";

/** What `ask` gives while another transaction holds an account and a workspace still; PostgreSQL alone lets others go on meanwhile. */
export async function whileHeld<T>(
  panel: TestPanel,
  { account_id = null, tenant_id = null }: { account_id?: string | null; tenant_id?: string | null },
  ask: () => Promise<T>,
): Promise<T> {
  const [held, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = panel.system.tx(async (tx) => {
    if (account_id !== null) await panel.ctx.tenants.lockAccount(tx, account_id);
    if (tenant_id !== null) await panel.ctx.tenants.lockMembers(tx, tenant_id);
    held.resolve();
    await answered.promise;
  });
  await held.promise;
  try {
    return await ask();
  } finally {
    answered.resolve();
    await holding;
  }
}
