import type { State } from "../../../kit/status.tsx";

const states: Record<string, { state: State; word: string }> = {
  online: { state: "ok", word: "Online" },
  degraded: { state: "warn", word: "Degraded" },
  offline: { state: "crit", word: "Offline" },
  pending: { state: "unknown", word: "Pending" },
};

/** Shape and word of a node's status; one that this page does not know yet is shown as it is. */
export function statusLook(status: string): { state: State; word: string } {
  return states[status] ?? { state: "unknown", word: status };
}

/** The three figures of a node, in percent; null where it has not reported one. */
export interface Figures {
  cpu_percent: number | null;
  memory_percent: number | null;
  disk_percent: number | null;
  /** Somebody said that it is off. */
  marked_offline?: true;
}

/** Why a node is not well, in words. */
export interface Reason {
  /** The word for a narrow place, e.g. "cpu". */
  short: string;
  /** The sentence. */
  long: string;
  /** What to do about it. */
  step?: string;
}

const rounded = (value: number | null): string => (value === null ? "90% or more" : `${Math.floor(value)}%`);

const steps = {
  late: "It may be busy, or the way to it slow: it counts as offline after ten minutes without a word.",
  busy: "Open the server to see which app takes the most.",
  full: "Open the server and free some room, or give it a larger disk.",
  critical: "Open the server: its first page says what is wrong.",
  app: "Open the server and look at the app’s log.",
  never: "Check on the server that orrery-node runs, and that it reaches this panel’s agent port.",
  awaited: "Wait a moment: it is called late after 90 seconds without a word.",
  marked: "It counts as online again as soon as it reports.",
  silent: "Check that the server is on, that orrery-node runs on it, and that it reaches this panel’s agent port.",
} as const;

/** A reason of the API in words; one that this page does not know yet is shown as it is. */
export function reasonWords(reason: string, figures: Figures, failedApps: readonly string[] = []): Reason {
  switch (reason) {
    case "heartbeat_late":
      return { short: "late", long: "It has not reported for over 90 seconds", step: steps.late };
    case "cpu_high":
      return { short: "processor", long: `The processor is at ${rounded(figures.cpu_percent)}`, step: steps.busy };
    case "mem_high":
      return { short: "memory", long: `Memory is at ${rounded(figures.memory_percent)}`, step: steps.busy };
    case "disk_high":
      return { short: "disk", long: `The disk is ${rounded(figures.disk_percent)} full`, step: steps.full };
    case "agent_critical":
      return { short: "critical", long: "The node itself reports a critical state", step: steps.critical };
    case "app_failed":
      return { short: "app", long: failedWords(failedApps), step: steps.app };
    case "never_connected":
      return { short: "never seen", long: "It is enrolled but has not connected yet", step: steps.never };
    case "not_yet_heard":
      return { short: "not yet heard", long: "It has not reported since the panel started", step: steps.awaited };
    case "heartbeat_missing":
      if (figures.marked_offline)
        return { short: "marked offline", long: "It was marked offline by hand", step: steps.marked };
      return { short: "silent", long: "It has not reported for over ten minutes", step: steps.silent };
    default:
      return { short: reason.replaceAll("_", " "), long: reason.replaceAll("_", " ") };
  }
}

function failedWords(apps: readonly string[]): string {
  const [first, second] = apps;
  if (first === undefined) return "An app is restarting or dead";
  if (second === undefined) return `The app ${first} is restarting or dead`;
  if (apps.length === 2) return `The apps ${first} and ${second} are restarting or dead`;
  return `The apps ${first}, ${second} and ${apps.length - 2} more are restarting or dead`;
}

/** What the list shows behind the word of the status: the reasons in short. */
export function shortReasons(reasons: readonly string[], figures: Figures): string {
  return reasons.map((reason) => reasonWords(reason, figures).short).join(", ");
}

const dayMs = 86_400_000;
/** Nodes renew by themselves with 30 days left; one that has not by this time needs help. */
const soonDays = 14;

/** How a certificate stands, from its end; null when the end is not known. */
export function certificateWords(end: string | null, now: number): { state: State; text: string } | null {
  if (end === null) return null;
  const left = Date.parse(end) - now;
  if (!Number.isFinite(left)) return null;
  if (left <= 0) return { state: "crit", text: "Expired" };
  const days = Math.floor(left / dayMs);
  if (days >= soonDays) return { state: "ok", text: `${days} days left` };
  const text = days === 0 ? "Less than a day left" : days === 1 ? "1 day left" : `${days} days left`;
  return { state: "warn", text };
}
