import { isRecord } from "../../../lib/json.ts";
import { may } from "../../actor.ts";
import type { SearchSource } from "../../base.ts";
import { type JobRow, listForSearch } from "./store.ts";

/** So many of the newest jobs are looked through. */
const LOOKED_THROUGH = 500;

/** Finds jobs by what they do, the newest first. */
export const searchJobs: SearchSource = {
  source: "jobs",
  async find(actor, text, limit) {
    if (!may(actor, "fleet:read")) return [];
    const wanted = text.toLowerCase();
    const rows = await listForSearch(actor.db, LOOKED_THROUGH);
    return rows
      .map((row) => ({ ...row, title: titleOf(row) }))
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .slice(0, limit)
      .map(({ id, title, status, total }) => ({
        ...{ id, title, path: `/jobs/${id}`, icon: "layers" },
        snippet: `${status}, ${total === 1 ? "1 node" : `${total} nodes`}`,
      }));
  },
};

/** What a job does and with what, in the words of whoever began it: "restart wiki". */
const titleOf = ({ kind, params }: Pick<JobRow, "kind" | "params">): string =>
  [kind.replaceAll("_", " "), ...textsOf(JSON.parse(params))].join(" ");

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsOf) : [];
}
