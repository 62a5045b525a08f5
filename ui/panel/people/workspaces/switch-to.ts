import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { enterWorkspace } from "../../client/session.ts";
import type { Workspace } from "../../client/types.ts";

/** Takes the caller to another workspace of theirs and says so; `at` is the address to go on at. */
export async function switchTo({ id, name }: Pick<Workspace, "id" | "name">, at = "/"): Promise<void> {
  try {
    enterWorkspace(await api("POST /api/workspaces/{id}/switch", { path: { id } }), at);
    toast(`You are in ${name} now.`);
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
  }
}
