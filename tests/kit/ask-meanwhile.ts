import { spyOn } from "bun:test";
import type { SystemTx } from "../../src/panel/data/tenant-db.ts";
import type { Answer } from "./node-app.ts";
import type { TestPanel } from "./panel-app.ts";
import { until } from "./until.ts";

/** What is done in the transaction that others wait for: `take` takes something from the account or membership with the id `ended`. */
export interface Meanwhile {
  lock(tx: SystemTx): Promise<unknown>;
  take(tx: SystemTx): Promise<unknown>;
  ended: string;
  /** Happens once the guard has let the other one in. */
  whileLetIn?(): void | Promise<void>;
}

/** Asks for something, which the guard lets in, while another transaction holds what it needs and takes something from somebody. */
export async function askMeanwhile(
  panel: TestPanel,
  { lock, take, ended, whileLetIn }: Meanwhile,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const letIn = spyOn(panel.ctx.tenants, "findMembership");
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const taking = panel.system.tx(async (tx) => {
    await lock(tx);
    await take(tx);
    panel.ctx.accessEnds.ended(tx, ended);
    hold();
    await released;
  });
  await held;
  const answer = ask();
  await until(() => letIn.mock.results[0]?.value, { everyMs: 1, what: "the guard" });
  await letIn.mock.results[0]?.value;
  letIn.mockRestore();
  await whileLetIn?.();
  release();
  await taking;
  return answer;
}
