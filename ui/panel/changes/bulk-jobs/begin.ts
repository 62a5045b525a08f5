import type { BulkInput } from "../../../../src/panel/changes/bulk-jobs/contract.ts";
import { api } from "../../client/api.ts";

/** What a command of the commands' dialog is as a job. */
export function jobOf(command: string, params: Record<string, unknown>): Pick<BulkInput, "action" | "params"> {
  if (command === "update" || command === "restart") return { action: command, params };
  return { action: "run_command", params: { type: command, payload: params } };
}

/** Begins a job on nodes; gives its id. */
export async function beginJob(
  nodes: readonly { id: string }[],
  command: string,
  params: Record<string, unknown>,
): Promise<string> {
  const body = { ...jobOf(command, params), instance_ids: nodes.map(({ id }) => id) };
  return (await api("POST /api/fleet/bulk", { body })).id;
}
