import type { SystemDb } from "../../data/tenant-db.ts";
import type { CommandKey, Commands } from "../commands/index.ts";
import { FIRST, FIRST_TOLD, type JobKey, listTold, listUnbegun, waitingFinder } from "./due-store.ts";

/** Jobs that are begun on in one round, and nodes that are looked through for an answer that nobody told of. */
const UNBEGUN_AT_ONCE = 1_000;
const LOOKED_THROUGH = 500;
/** Commands that are looked up in one statement, and those that are remembered between two rounds. */
const LOOKED_UP = 500;
const ENDED_MAX = 100_000;

/**
 * Makes the function that gives, for each workspace, the jobs with something to do: those with nodes that nothing was begun on, and those
 * of whose commands some ended. A job that waits for its nodes is none of them, and costs nothing but a read now and then. Lists that are
 * too long for one round go on in the next where they ended in this one, so that nobody stands behind the same ones for ever.
 */
export function createDue(
  system: SystemDb,
  commands: Pick<Commands, "onEnded">,
): () => Promise<Map<string, ReadonlySet<string>>> {
  const findWaiting = waitingFinder(system.engine);
  let ended: Pick<CommandKey, "tenant_id" | "id">[] = [];
  let lastUnbegun = FIRST;
  let lastTold = FIRST_TOLD;
  commands.onEnded((keys) => {
    // The rest is found by looking through.
    ended.push(...keys.slice(0, ENDED_MAX - ended.length));
  });

  async function unbegun(): Promise<JobKey[]> {
    const page = await listUnbegun(system, lastUnbegun, UNBEGUN_AT_ONCE);
    lastUnbegun = (page.length === UNBEGUN_AT_ONCE && page.at(-1)) || FIRST;
    return page;
  }

  async function answered(): Promise<JobKey[]> {
    const keys = ended;
    ended = [];
    const jobs: JobKey[] = [];
    for (let at = 0; at < keys.length; at += LOOKED_UP)
      jobs.push(...(await findWaiting(system, keys.slice(at, at + LOOKED_UP))));
    return jobs;
  }

  /** What a program that was killed did not hear of. */
  async function overheard(): Promise<JobKey[]> {
    const page = await listTold(system, lastTold, LOOKED_THROUGH);
    lastTold = (page.length === LOOKED_THROUGH && page.at(-1)) || FIRST_TOLD;
    return page.filter(({ is_over }) => is_over === 1);
  }

  return async () => {
    const jobs = [...(await unbegun()), ...(await answered()), ...(await overheard())];
    const tenants = Map.groupBy(jobs, ({ tenant_id }) => tenant_id);
    return new Map([...tenants].map(([tenantId, own]) => [tenantId, new Set(own.map(({ id }) => id))]));
  };
}
