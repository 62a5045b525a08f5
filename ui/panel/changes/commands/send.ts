import type { CommandsSent } from "../../../../src/panel/changes/commands/contract.ts";
import { api } from "../../client/api.ts";
import type { Target } from "./ask.ts";

/** What became of sending. */
export interface Sent {
  commands: CommandsSent["commands"];
  skipped: CommandsSent["skipped"];
}

/** Sends a command to a few nodes; what is for many is a job. */
export async function sendCommand(
  nodes: readonly Pick<Target, "id">[],
  command: string,
  params: Record<string, unknown>,
): Promise<Sent> {
  const { commands, skipped } = await api("POST /api/fleet/commands", {
    body: { instance_ids: nodes.map(({ id }) => id), command, params },
  });
  return { commands, skipped };
}
