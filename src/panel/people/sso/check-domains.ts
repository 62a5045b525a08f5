import { days, minutes } from "../../../lib/duration.ts";
import { byOperator } from "../../event-meaning.ts";
import * as store from "./domain-store.ts";
import { look, recordValue } from "./domains.ts";
import type { Own } from "./needs.ts";

/** A proof that is gone for so long is none. */
const LAPSE_MS = days(14);
const CHECK_MS = days(1);
/** Name servers that say nothing take seconds: others are asked beside them. */
const CHECKED_AT_ONCE = 20;
/** No run begins another look after this; the next one goes on. */
const RUN_MS = minutes(5);

/**
 * Looks at proven domains once a day, those first that nobody looked at for longest. One whose proof is gone for 14 days is nobody's
 * again; name servers that fail are no sign, but that was a look as well: otherwise they would stand first in every run.
 */
export async function checkDomains(own: Own, signal: AbortSignal): Promise<void> {
  const end = own.clock.monotonic() + RUN_MS;
  while (!signal.aborted && own.clock.monotonic() < end) {
    const due = await store.listDue(own.system, own.clock.now() - CHECK_MS, CHECKED_AT_ONCE);
    await Promise.all(due.map((row) => check(own, row)));
    if (due.length < CHECKED_AT_ONCE) return;
  }
}

async function check(own: Own, row: store.DomainRow): Promise<void> {
  const texts = await look(own, row.host);
  const now = own.clock.now();
  await own.system.tx(async (tx) => {
    const current = await store.findDomain(tx, row.tenant_id, row.id);
    // Given up meanwhile, or proven anew.
    if (current === null || current.checked_at !== row.checked_at) return;
    if (texts === null) return store.updateDomain(tx, { ...current, checked_at: now });
    const failing_since = texts.includes(recordValue(row.token)) ? null : (row.failing_since ?? now);
    if (failing_since === null || now - failing_since < LAPSE_MS)
      return store.updateDomain(tx, { ...current, checked_at: now, failing_since });
    await store.updateDomain(tx, { ...current, verified_at: null, checked_at: now, failing_since: null });
    const by = byOperator(row.tenant_id);
    await own.bus.emit(tx, "sso.domain_lapse", { by, domain_id: row.id, host: row.host });
  });
}
