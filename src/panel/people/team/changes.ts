import type { ChangeSource } from "../../base.ts";
import type { Presences } from "./presences.ts";
import type { Turns } from "./turns.ts";

/** Whoever has the stream of changes open is here, and hears of others who come, go, or look at another page. */
export const presenceChanges = (presences: Pick<Presences, "hold">, turns: Pick<Turns, "join">): ChangeSource => ({
  topic: "presence",
  permission: null,
  onChange({ tenant_id, member_id }, tell) {
    const letGo = presences.hold(tenant_id, member_id);
    const leave = turns.join(tenant_id, tell);
    return () => {
      letGo();
      leave();
    };
  },
});
