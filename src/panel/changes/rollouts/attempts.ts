import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

/** What is to be kept of a decision, or the answer where nothing is. */
export type Decided<Answer> = { answer: Answer } | { keep(tx: SystemTx): Promise<Answer> };

/** Another change was kept first: what was decided rests on what is no longer so. */
export class Overtaken extends Error {}

/** Whoever else is faster comes first, but not without end. */
const TRIES = 3;

/**
 * Decides by what is read before the transaction, so that nobody waits for that, and keeps what came of it. `keep` throws `Overtaken` where
 * that has changed since, and then it is decided anew: in the end within a transaction, whose `lock` keeps everybody else from changing it.
 */
export async function decideAndKeep<Answer>(
  db: SystemDb,
  decide: (from: SystemDb | SystemTx) => Promise<Decided<Answer>>,
  lock: (tx: SystemTx) => Promise<unknown>,
): Promise<Answer> {
  for (let left = TRIES; left > 0; left--) {
    const decided = await decide(db);
    if ("answer" in decided) return decided.answer;
    try {
      return await db.tx(decided.keep);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
  return db.tx(async (tx) => {
    await lock(tx);
    const decided = await decide(tx);
    return "answer" in decided ? decided.answer : decided.keep(tx);
  });
}
