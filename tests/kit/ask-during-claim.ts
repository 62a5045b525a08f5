import type { List } from "../../src/kernel/list.ts";
import type { Answer } from "./node-app.ts";
import type { TestPanel } from "./panel-app.ts";
import type { createStranger } from "./stranger.ts";
import { until } from "./until.ts";

const WAITING = "SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/**
 * Asks for something while the owner of an address claims the account of a stranger: right after all that is in `list` was ended, and
 * before the claim is done. For PostgreSQL, where the question is answered then or waits for a row that the claim holds.
 */
export async function askDuringClaim(
  panel: TestPanel,
  list: Pick<List<() => Promise<number>>, "add">,
  { comeIn }: Pick<Awaited<ReturnType<typeof createStranger>>, "comeIn">,
  ask: () => Promise<Answer>,
) {
  const [ended, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  list.add(async () => {
    ended.resolve();
    await asked.promise;
    return 0;
  });
  const claiming = comeIn("by mail");
  await Promise.race([ended.promise, claiming]);
  let isAnswered = false;
  const answering = ask().finally(() => (isAnswered = true));
  const isWaiting = () => panel.system.get(WAITING);
  await until(() => isAnswered || isWaiting(), { everyMs: 1, what: "the question" });
  asked.resolve();
  const [owner, answer] = await Promise.all([claiming, answering]);
  return { owner, answer };
}
