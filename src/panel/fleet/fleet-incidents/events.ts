import type { EventMeanings, Notice } from "../../event-meaning.ts";
import type { Cause, IncidentEvents } from "./contract.ts";

/** "atlas-7 is offline, and 5 more in eu" */
function titleOf({ title, nodes, region }: Cause): string {
  if (nodes === 1) return title;
  return `${title}, and ${nodes - 1} more${region === "" ? "" : ` in ${region}`}`;
}

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
      title: titleOf(cause),
      body: "",
    }),
  },
  "incident.escalated": {
    notice: (cause) => ({
      ...placeOf(cause),
      kind: "incident.escalated",
      severity: cause.severity,
      title: titleOf(cause),
      body:
        cause.reason === "growth"
          ? `This has grown: it is ${cause.nodes} servers now.`
          : "Nobody has said for half an hour that they know of this.",
    }),
  },
  "fleet.incident.note": {
    audit: ({ incident_id, title }) => ({ subject_id: incident_id, details: { incident: title } }),
  },
};
