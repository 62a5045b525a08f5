import type { AlertGroup, AlertGroups } from "../../../../src/panel/fleet/fleet-alerts/contract.ts";
import { clock, inWords } from "../../../client/format.ts";
import { locale } from "../../../kit/locale.ts";
import type { State } from "../../../kit/status.tsx";

/** What is wrong, said of several nodes and of one; a rule that this page does not know yet is said as it is. */
const troubles: Record<string, [several: string, one: string]> = {
  heartbeat_missing: ["offline", "is offline"],
  heartbeat_late: ["reporting late", "reports late"],
  cpu_high: ["with a busy processor", "has a busy processor"],
  mem_high: ["with full memory", "has full memory"],
  disk_high: ["with a full disk", "has a full disk"],
  agent_critical: ["calling themselves critical", "calls itself critical"],
  app_failed: ["with a failed app", "has a failed app"],
  never_connected: ["never connected", "has never connected"],
};

/** One next step for each kind of trouble that this page knows. */
export const nextSteps: Record<string, string> = {
  heartbeat_missing: "Check what these servers share first: power, network, and the way to this panel’s agent port.",
  heartbeat_late: "They may be busy, or the way to them slow: after ten minutes without a word they count as offline.",
  cpu_high: "Open a server to see which app takes the most.",
  mem_high: "Open a server to see which app takes the most.",
  disk_high: "Open a server and free some room, or give it a larger disk.",
  agent_critical: "Open a server: its first page says what is wrong.",
  app_failed: "Open a server and look at the app’s log.",
  rollout_stopped: "Look at what happened on its nodes, then resume it, promote it all the same, or roll it back.",
  never_connected: "Check on the server that orrery-node runs, and that it reaches this panel’s agent port.",
};

/** Shape and word of a severity. */
export const severityLook: Record<AlertGroup["severity"], { state: State; word: string }> = {
  critical: { state: "crit", word: "Critical" },
  warning: { state: "warn", word: "Warning" },
  info: { state: "info", word: "Note" },
};

const dayMs = 86_400_000;

/** The time of a moment; with its date when it is more than a day ago. */
function sinceText(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (now - at < dayMs) return clock(at);
  return new Date(at).toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric" });
}

/** Nodes with one trouble. */
export interface Trouble {
  rule: string;
  region: string | null;
  count: number;
  since: string;
  /** The name of the only one. */
  hostname: string | null;
}

/** A trouble in a sentence: "Six offline in ap-south since 11:06", or with the name of its only node. */
export function troubleTitle({ rule, region, count, since, hostname }: Trouble, now: number): string {
  const plain = rule.replaceAll("_", " ");
  const [several, one] = troubles[rule] ?? [`with ${plain}`, `has ${plain}`];
  const who = hostname === null ? `${inWords(count, true)} ${several}` : `${hostname} ${one}`;
  const where = region === null ? "" : ` in ${region}`;
  return `${who}${where} since ${sinceText(since, now)}`;
}

/** The group in a sentence. */
export const titleOf = ({ alerts, ...group }: AlertGroup, now: number): string =>
  troubleTitle({ ...group, hostname: group.count === 1 ? (alerts[0]?.hostname ?? null) : null }, now);

/** The names of the first nodes: "web-1, web-2 and 4 more". */
export function namesOf({ alerts, count }: Pick<AlertGroup, "alerts" | "count">): string {
  const names = alerts.slice(0, 3).map(({ hostname }) => hostname);
  if (count > names.length) return `${names.join(", ")} and ${(count - names.length).toLocaleString("en")} more`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

/** Who knows of a group: nobody, somebody of a part, or a name. */
export function knownOf({ alerts, count, acknowledged }: AlertGroup): string {
  if (acknowledged === 0) return "Nobody has it";
  const names = [...new Set(alerts.flatMap(({ acknowledged: known }) => (known === null ? [] : [known.by])))];
  const [name] = names;
  const who = names.length === 1 && name != null ? name : "Somebody";
  return acknowledged === count ? `${who} has it` : `${who} has ${acknowledged.toLocaleString("en")} of them`;
}

/** What the whole page comes to. */
export function verdictOf({ alerts, open }: Pick<AlertGroups, "alerts" | "open">): string {
  if (alerts === 0) return "No alert is open.";
  const told = (number: number, word: string): string[] => (number === 0 ? [] : [`${inWords(number)} ${word}`]);
  const parts = [...told(open.critical, "critical"), ...told(open.warning, "to watch"), ...told(open.info, "to note")];
  if (parts.length === 0) return "Somebody has every alert.";
  const text = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "");
  return `Nobody has these yet: ${text}.`;
}

/** The list of the nodes that are like the group. */
export function fleetPath({ rule, region }: Pick<Trouble, "rule" | "region">): string {
  const status = rule === "heartbeat_missing" ? "offline" : rule === "never_connected" ? "pending" : "degraded";
  const parameters = new URLSearchParams({ status, region: region ?? "unknown" });
  return `/fleet?${parameters}`;
}
