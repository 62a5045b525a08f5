import type { BulkItem, BulkJob } from "../../../../src/panel/changes/bulk-jobs/contract.ts";
import { count } from "../../../client/format.ts";
import { isRecord } from "../../../client/problem.ts";
import type { State } from "../../../kit/status.tsx";

/** Shape and word of a job's state. */
export const jobLook: Record<BulkJob["status"], { state: State; word: string }> = {
  running: { state: "busy", word: "Running" },
  succeeded: { state: "ok", word: "Done" },
  partial: { state: "warn", word: "Done in part" },
  failed: { state: "crit", word: "Failed" },
  cancelled: { state: "off", word: "Cancelled" },
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const appVerbs: Record<string, string> = {
  "app.start": "Start",
  "app.stop": "Stop",
  "app.restart": "Restart",
  "app.update": "Update",
  "app.rollback": "Take the update back of",
};

function commandText({ params }: Pick<BulkJob, "params">): string {
  const type = text(params["type"]);
  const payload = isRecord(params["payload"]) ? params["payload"] : {};
  if (type === "run_command") return `Run ${text(payload["command"])}`;
  if (type === "inventory.refresh") return "Ask for news";
  const verb = appVerbs[type];
  return verb === undefined ? type : `${verb} ${text(payload["app"]) || text(payload["app_id"])}`;
}

/** What a job does: "Restart wiki". */
export function jobText({ kind, params }: Pick<BulkJob, "kind" | "params">): string {
  const tags = Array.isArray(params["tags"]) ? params["tags"].join(", ") : "";
  switch (kind) {
    case "restart":
      return `Restart ${text(params["app"]) || text(params["app_id"])}`;
    case "update":
      return text(params["version"]) === "" ? "Update Orrery" : `Update to ${text(params["version"])}`;
    case "tag":
      return `Tag with ${tags}`;
    case "untag":
      return `Take off ${tags}`;
    case "move_group":
      return params["group_id"] === null ? "Take out of their groups" : "Move to a group";
    case "remove":
      return "Remove from the fleet";
    case "run_command":
      return commandText({ params });
  }
}

/** The same with its nodes: "Restart wiki on 12 nodes". */
export const jobTitle = (job: Pick<BulkJob, "kind" | "params" | "total">): string =>
  `${jobText(job)} on ${count(job.total, "node")}`;

/** Where an item is: words, and the look of its cell. */
export function itemLook({ status, online }: Pick<BulkItem, "status" | "online">): { word: string; cell: string } {
  switch (status) {
    case "queued":
      return online === false ? { word: "offline, waiting", cell: "gone" } : { word: "waiting", cell: "wait" };
    case "sent":
    case "running":
      return { word: "running", cell: "up" };
    case "succeeded":
      return { word: "done", cell: "" };
    case "failed":
      return { word: "failed", cell: "bad" };
    case "cancelled":
      return { word: "taken back", cell: "back" };
  }
}

/** How many items are in each look, in the order in which they stand. */
export function tally(items: readonly BulkItem[]): { word: string; cell: string; number: number }[] {
  const found = new Map<string, { word: string; cell: string; number: number }>();
  for (const item of items) {
    const look = itemLook(item);
    const known = found.get(look.word) ?? { ...look, number: 0 };
    found.set(look.word, { ...known, number: known.number + 1 });
  }
  return [...found.values()];
}

/** Items that failed for one reason. */
export interface Failure {
  error: string;
  items: BulkItem[];
}

/** The failed items by their reason, the most common first. */
export function failuresOf(items: readonly BulkItem[]): Failure[] {
  const failed = items.filter(({ status }) => status === "failed");
  const groups = Map.groupBy(failed, ({ error }) => error ?? "It failed and did not say why.");
  return [...groups].map(([error, own]) => ({ error, items: own })).sort((a, b) => b.items.length - a.items.length);
}
