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

/** Events after which the list of members is another one, besides all of the team's own and of directories. */
const OF_MEMBERS = new Set([
  "account.join",
  "account.leave",
  "account.sso_join",
  "account.sso_role",
  "account.profile_change",
]);

/** Whether the list of members may be another one after an event of that name. */
export const isAboutMembers = (name: string): boolean => /^(team|scim)\./.test(name) || OF_MEMBERS.has(name);

/** Whoever looks at the members hears when one of them came, went, or may do something else. */
export const memberChanges = (turns: Pick<Turns, "join">): ChangeSource => ({
  topic: "team",
  permission: null,
  onChange: ({ tenant_id }, tell) => turns.join(tenant_id, tell),
});
