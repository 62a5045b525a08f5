import { hours } from "../../../lib/duration.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { readDelivery } from "./preferences.ts";
import { dueAt } from "./schedule.ts";
import {
  type Chooser,
  findChooser,
  insertWaiting,
  listChoosers,
  listDueMembers,
  listUnmailed,
  markMailed,
  type NotificationRow,
  takeDue,
} from "./store.ts";
import { wantsLetter } from "./wants-letter.ts";
import { DIGEST, KIND } from "./write-letters.ts";

/** A letter about something of yesterday is of no use. */
const LIFETIME_MS = hours(12);
const BATCH = 100;
/** How many notifications a letter names; the list of the bell has the rest. */
const NAMED_MAX = 50;

/** Queues the letters of what is new, or has them wait for their hour: for each notification once, whenever the program is ended. */
export async function queueLetters(needs: Needs, signal: AbortSignal): Promise<void> {
  const { system, clock, mail } = needs;
  const isOn = mail.missing().length === 0;
  while (!signal.aborted) {
    const rows = await listUnmailed(system, BATCH);
    for (const row of rows) {
      await system.tx(async (tx) => {
        if (!(await markMailed(tx, row.tenant_id, row.id, clock.now())) || !isOn) return;
        for (const chooser of await listChoosers(tx, row.tenant_id))
          if (wantsLetter(chooser, row)) await addLetter(needs, tx, chooser, row);
      });
    }
    if (rows.length < BATCH) return;
  }
}

async function addLetter(
  { mail, clock }: Pick<Needs, "mail" | "clock">,
  tx: SystemTx,
  { member_id, email, delivery }: Chooser,
  { tenant_id, id, severity, created_at }: NotificationRow & { tenant_id: string },
): Promise<void> {
  const due_at = dueAt(readDelivery(delivery), severity, created_at);
  if (due_at > clock.now()) return insertWaiting(tx, { tenant_id, member_id, notification_id: id, due_at });
  await mail.queue(tx, {
    kind: KIND,
    tenantId: tenant_id,
    to: email,
    facts: { tenant_id, id },
    lifetimeMs: LIFETIME_MS,
  });
}

/** Queues one letter for everybody whose hour has come, of all that waited for it; once, whenever the program is ended. */
export async function queueDue(needs: Needs, signal: AbortSignal): Promise<void> {
  const { system, clock, mail } = needs;
  while (!signal.aborted) {
    const members = await listDueMembers(system, clock.now(), BATCH);
    for (const { tenant_id, member_id } of members) {
      await system.tx(async (tx) => {
        const rows = await takeDue(tx, tenant_id, member_id, clock.now());
        // They may want it otherwise by now, or may not know of it any more.
        const chooser = await findChooser(tx, tenant_id, member_id);
        if (chooser === null || mail.missing().length > 0) return;
        const ids = rows.filter((row) => wantsLetter(chooser, row)).map(({ id }) => id);
        const [id] = ids;
        if (id === undefined) return;
        const letter =
          ids.length === 1
            ? { kind: KIND, facts: { tenant_id, id } }
            : { kind: DIGEST, facts: { tenant_id, ids: ids.slice(-NAMED_MAX).join(" "), count: String(ids.length) } };
        await mail.queue(tx, { ...letter, tenantId: tenant_id, to: chooser.email, lifetimeMs: LIFETIME_MS });
      });
    }
    if (members.length < BATCH) return;
  }
}
