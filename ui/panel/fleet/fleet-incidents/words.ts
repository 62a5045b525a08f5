import type { Incident, IncidentEntry, Incidents } from "../../../../src/panel/fleet/fleet-incidents/contract.ts";
import { count, duration, inWords } from "../../../client/format.ts";
import { troubleTitle } from "../fleet-alerts/words.ts";

/** The incident in a sentence: "Six offline in ap-south since 11:06". */
export function incidentTitle({ rule, region, nodes, since, title, link }: Incident, now: number): string {
  if (link !== null) return title;
  // "atlas-7 is offline" begins with the name of the only node, which holds no space.
  const hostname = nodes === 1 ? (title.split(" ")[0] ?? "") : "";
  return troubleTitle({ rule, region, count: nodes, since, hostname: hostname || null }, now);
}

/** How long it lasts, or lasted. */
export function lastedText({ since, over_at }: Incident, now: number): string {
  const end = over_at === null ? now : Date.parse(over_at);
  const text = duration(Math.max(0, end - Date.parse(since)) / 1000);
  return over_at === null ? `for ${text} so far` : `lasted ${text}`;
}

/** Who has an incident. */
export function ownerText({ acknowledged }: Incident): string {
  return acknowledged === null ? "Nobody has it" : `${acknowledged.by ?? "Somebody"} has it`;
}

/** What else people should see of an incident at a glance; empty where there is nothing. */
export function courseText({ escalated_at, reopened, over_at }: Incident): string {
  const back = reopened === 0 ? "" : `came back ${reopened === 1 ? "once" : `${reopened} times`}`;
  return [escalated_at !== null && over_at === null ? "escalated" : "", back].filter((part) => part !== "").join(", ");
}

/** What the whole page comes to. */
export function verdictOf({ open, unknown }: Pick<Incidents, "open" | "unknown">): string {
  if (open === 0) return "Nothing is open.";
  if (unknown === 0) return `${inWords(open, true)} open, and somebody has ${open === 1 ? "it" : "every one"}.`;
  if (unknown === open) return `${inWords(open, true)} open, and nobody has ${open === 1 ? "it" : "any of them"}.`;
  return `${inWords(open, true)} open. Nobody has ${inWords(unknown)} of them.`;
}

/** What happened, in a line. */
export function entryText({ kind, by, nodes }: IncidentEntry): string {
  const who = by ?? "Somebody";
  switch (kind) {
    case "opened":
      return nodes === 0 ? "Opened" : `Opened with ${count(nodes, "server")}`;
    case "grown":
      return `Grown to ${count(nodes, "server")}`;
    case "escalated":
      return "Escalated, and told again";
    case "acknowledged":
      return `${who} has it`;
    case "noted":
      return `${who} wrote`;
    case "reopened":
      return "Came back";
    case "over":
      return "Over by itself";
  }
}
