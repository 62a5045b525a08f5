import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import { createKeyedGate } from "../../../lib/keyed-gate.ts";
import { createTimedPace } from "../../../lib/pace.ts";
import { createPlaces } from "../../../lib/places.ts";
import type { Actor } from "../../actor.ts";
import type { PanelBase } from "../../base.ts";

/** Scans of one account, the one that is under way and those that wait for it. */
const WAITING_MAX = 100;

/** Makes what takes a look at every node, once no other such is made for the same account. Throws `too_many_requests`. */
export type InScanTurn = <T>(
  actor: Pick<Actor, "tenant_id" | "account_id">,
  make: (othersFirst: () => Promise<void> | undefined) => Promise<T>,
) => Promise<T>;

/**
 * A look at a large fleet with many conditions takes long, is asked for with few words, and holds a copy of the fleet's index: one of each
 * account is under way at a time, and `othersFirst`, asked between its steps, lets others go once it has worked for a few milliseconds.
 */
export function createScanTurns({ clock, takeTurn }: Pick<PanelBase, "clock" | "takeTurn">): InScanTurn {
  const gate = createKeyedGate();
  const places = createPlaces();
  return async ({ tenant_id, account_id }, make) => {
    const key = `${tenant_id}\n${account_id}`;
    const place = places.take([{ key, most: WAITING_MAX }]);
    if (place.full !== null) throw tooManyRequests(1);
    const othersFirst = () => giveWay(takeTurn, [tenant_id, account_id]);
    return gate(key, () => make(createTimedPace(clock, othersFirst))).finally(place.give);
  };
}
