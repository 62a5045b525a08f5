import { count } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/** Does something to each, one after the other, and says how many it worked for and what was in the way of the rest. */
export async function changeEach(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  done: string,
): Promise<void> {
  let changed = 0;
  let problem: string | null = null;
  for (const id of ids) {
    try {
      await work(id);
      changed += 1;
    } catch (error) {
      problem ??= asProblem(error).message;
    }
  }
  if (problem !== null) toast(problem, { state: "crit" });
  if (changed > 0) toast(`${count(changed, "file or folder", "files and folders")} ${done}`);
}

/** Moves files and folders into a folder; null is the top. */
export const moveNodes = (ids: readonly string[], parent_id: string | null): Promise<void> =>
  changeEach(
    ids.filter((id) => id !== parent_id),
    (id) => api("PATCH /api/drive/nodes/{id}", { path: { id }, body: { parent_id } }),
    "moved.",
  );

/** Puts files and folders into the trash. */
export const trashNodes = (ids: readonly string[]): Promise<void> =>
  changeEach(
    ids,
    (id) => api("DELETE /api/drive/nodes/{id}", { path: { id } }),
    ids.length === 1 ? "is in the trash for 30 days." : "are in the trash for 30 days.",
  );
