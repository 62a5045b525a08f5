import { holds } from "../../access.ts";
import type { EventMeanings, Notice } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { FactorResetEvents } from "./contract.ts";
import { RESET_NOTICES } from "./words.ts";

interface About {
  member_id: string;
  name: string;
  role: Parameters<typeof holds>[0];
}

/** Told to those who manage the team, and to the member, who may be one of them. */
function tell(
  { member_id, name, role }: About,
  told: "begun" | "stopped" | "done",
  at: number,
  severity: Notice["severity"],
): Notice[] {
  const words = inEach((language) => RESET_NOTICES[language](name, at)[told]);
  const notice = { kind: "account.factor_reset" as const, severity, words };
  const managers: Notice = { ...notice, link: "/team", to: { permission: "users:manage" } };
  return holds(role, "users:manage") ? [managers] : [managers, { ...notice, link: "/security", to: { member_id } }];
}

/** What resets of second factors mean. */
export const factorResetMeanings: EventMeanings<FactorResetEvents> = {
  "team.factor_reset": {
    audit: ({ member_id, effective_at }) => ({ subject_id: member_id, details: { effective_at } }),
    notice: (event) => tell(event, "begun", Date.parse(event.effective_at), "warning"),
  },
  "team.factor_reset_stop": {
    audit: ({ member_id, end }) => ({ subject_id: member_id, details: { end } }),
    notice: (event) => tell(event, "stopped", 0, "info"),
  },
  "team.factor_reset_done": {
    audit: ({ member_id }) => ({ subject_id: member_id, details: {} }),
    notice: (event) => tell(event, "done", 0, "warning"),
  },
};
