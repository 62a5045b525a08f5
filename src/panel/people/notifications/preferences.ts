import { Value } from "@sinclair/typebox/value";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { Actor } from "../../actor.ts";
import { CHOSEN_KINDS, type ChosenKind, Delivery, fail, type Preferences, type PreferencesInput } from "./contract.ts";
import type { Needs, Own } from "./needs.ts";
import { AT_ONCE, dueAt, isZone } from "./schedule.ts";
import { delayWaiting, findOwnOutcome, findPreferences, saveDelivery, savePreferences } from "./store.ts";

type Kinds = PreferencesInput["kinds"];

/** Everything in the list, nothing by mail, until somebody wants it otherwise. */
const UNLESS_TOLD = { inapp: true, email: false };

/** What was stored, with what is new since as it is unless told. */
export function readKinds(stored: string | null): Kinds {
  const told = stored === null ? {} : parseJson(stored);
  const of = (kind: ChosenKind) => {
    const one = isRecord(told) ? told[kind] : undefined;
    return isRecord(one) ? { inapp: one["inapp"] !== false, email: one["email"] === true } : UNLESS_TOLD;
  };
  return {
    "incident.opened": of("incident.opened"),
    "incident.escalated": of("incident.escalated"),
    "node.offline": of("node.offline"),
    "canary.paused": of("canary.paused"),
    "invitation.accepted": of("invitation.accepted"),
  };
}

/** When mail comes, as it was stored. */
export function readDelivery(stored: string | null): Delivery {
  const told = stored === null ? null : parseJson(stored);
  return Value.Check(Delivery, told) ? told : AT_ONCE;
}

/** The kinds that a member does not want in the list. */
export const mutedKinds = (stored: string | null): ChosenKind[] => {
  const kinds = readKinds(stored);
  return CHOSEN_KINDS.filter((kind) => !kinds[kind].inapp);
};

/** How the caller hears in this workspace. */
export async function readPreferences({ mail }: Pick<Needs, "mail">, actor: Actor): Promise<Preferences> {
  const stored = await findPreferences(actor.db, actor.member_id);
  const kinds = readKinds(stored?.preferences ?? null);
  return {
    ...{ kinds, ...readDelivery(stored?.delivery ?? null), by_mail: mail.missing().length === 0 },
    mail: await findOwnOutcome(actor.db, actor.member_id),
  };
}

/** Chooses that. Throws `notification_zone_unknown`, `notification_quiet_empty`. */
export async function changePreferences(
  needs: Pick<Own, "mail" | "clock" | "changes">,
  actor: Actor,
  { kinds, ...chosen }: PreferencesInput,
): Promise<Preferences> {
  const { time_zone, quiet } = chosen;
  if (time_zone !== undefined && !isZone(time_zone)) throw fail("notification_zone_unknown", { time_zone });
  if (quiet && quiet.from === quiet.to) throw fail("notification_quiet_empty", { field: "quiet" });
  await actor.db.tx(async (tx) => {
    const before = readDelivery((await findPreferences(tx, actor.member_id))?.delivery ?? null);
    await savePreferences(tx, actor.member_id, JSON.stringify(kinds));
    tx.afterCommit(() => needs.changes.changed(actor.tenant_id, actor.member_id));
    const delivery = { ...before, ...chosen };
    if (JSON.stringify(delivery) === JSON.stringify(before)) return;
    await saveDelivery(tx, actor.member_id, JSON.stringify(delivery));
    // What waits comes when the new choice says, as if it had happened now.
    await delayWaiting(tx, actor.member_id, dueAt(delivery, "info", needs.clock.now()));
  });
  return readPreferences(needs, actor);
}
