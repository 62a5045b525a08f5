import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { progressed } from "./carry-on.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { cancelQueued, findJob, listCommandIds, lockOpen, settleItems, updateJob } from "./store.ts";

/**
 * Takes back what no node has got yet; what was handed out goes on, and is counted when it is over. Throws `bulk_job_not_found`,
 * `bulk_job_over`.
 */
export async function cancelJob(
  { system, clock, commands, bus }: Pick<Needs, "system" | "clock" | "commands" | "bus">,
  actor: Actor,
  ip: string,
  id: string,
): Promise<void> {
  const { tenant_id } = actor;
  const known = await findJob(actor.db, [], id);
  if (!known) throw fail("bulk_job_not_found", { id });
  if (known.status !== "running") throw fail("bulk_job_over", { status: known.status });
  await system.by(actor).tx(async (tx) => {
    const job = await lockOpen(tx, tenant_id, id);
    if (job?.status !== "running") throw fail("bulk_job_over", { status: job?.status ?? known.status });
    const now = clock.now();
    await commands.recall(tx, tenant_id, await listCommandIds(tx, job));
    const settled = await settleItems(tx, job, job.total);
    const unsent = await cancelQueued(tx, job, now);
    const results = [...settled, ...Array.from({ length: unsent }, () => ({ status: "cancelled" as const }))];
    const after = progressed({ ...job, status: "cancelled", next_no: job.total }, results, now);
    await updateJob(tx, { ...after, updated_at: now });
    await bus.emit(tx, "fleet.bulk.cancel", {
      by: byMember(actor, ip),
      ...{ job_id: id, action: job.kind, taken_back: after.cancelled },
    });
  });
}
