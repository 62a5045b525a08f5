import { holds } from "../../access.ts";
import type { EventMeanings, Notice } from "../../event-meaning.ts";
import type { FactorResetEvents } from "./contract.ts";

interface About {
  member_id: string;
  name: string;
  role: Parameters<typeof holds>[0];
}

/** Told to those who manage the team, and to the member, who may be one of them. */
function tell({ member_id, role }: About, severity: Notice["severity"], title: string, body: string): Notice[] {
  const notice = { kind: "account.factor_reset" as const, severity, title, body };
  const managers: Notice = { ...notice, link: "/team", to: { permission: "users:manage" } };
  return holds(role, "users:manage") ? [managers] : [managers, { ...notice, link: "/security", to: { member_id } }];
}

/** What resets of second factors mean. */
export const factorResetMeanings: EventMeanings<FactorResetEvents> = {
  "team.factor_reset": {
    audit: ({ member_id, effective_at }) => ({ subject_id: member_id, details: { effective_at } }),
    notice: (event) =>
      tell(
        event,
        "warning",
        `Second factors of ${event.name} are about to be removed`,
        `It happens on ${event.effective_at.slice(0, 10)} at ${event.effective_at.slice(11, 16)} UTC, and can be stopped until then.`,
      ),
  },
  "team.factor_reset_stop": {
    audit: ({ member_id, end }) => ({ subject_id: member_id, details: { end } }),
    notice: (event) => tell(event, "info", `Second factors of ${event.name} stay`, ""),
  },
  "team.factor_reset_done": {
    audit: ({ member_id }) => ({ subject_id: member_id, details: {} }),
    notice: (event) =>
      tell(
        event,
        "warning",
        `Second factors of ${event.name} were removed`,
        "The passphrase alone opens the account until one is added again.",
      ),
  },
};
