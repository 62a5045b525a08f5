import type { EventMeanings, Notice } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { IncidentEvents } from "./contract.ts";
import { sayCause, sayEscalated } from "./words.ts";

/** Where it is looked at, and by whom. */
const placeOf = ({ incident_id }: { incident_id: string }): Pick<Notice, "link" | "to"> => ({
  link: `/incidents/${incident_id}`,
  to: { permission: "fleet:read" },
});

/** What incidents mean. */
export const incidentMeanings: EventMeanings<IncidentEvents> = {
  "incident.opened": {
    notice: (cause) => ({
      ...placeOf(cause),
      kind: cause.rule === "heartbeat_missing" ? "node.offline" : "incident.opened",
      severity: cause.severity,
      words: inEach((language) => ({ title: sayCause(language, cause), body: "" })),
    }),
  },
  "incident.escalated": {
    notice: (cause) => ({
      ...placeOf(cause),
      kind: "incident.escalated",
      severity: cause.severity,
      words: inEach((language) => ({
        title: sayCause(language, cause),
        body: sayEscalated(language, cause.reason, cause.nodes),
      })),
    }),
  },
  "fleet.incident.note": {
    audit: ({ incident_id, title }) => ({ subject_id: incident_id, details: { incident: title } }),
  },
};
