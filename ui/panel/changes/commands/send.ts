import type { CommandsSent } from "../../../../src/panel/changes/commands/contract.ts";
import { api } from "../../client/api.ts";
import type { Target } from "./ask.ts";

/** How many nodes one call takes. */
const atOnce = 500;

/** What became of sending. */
export interface Sent {
  commands: CommandsSent["commands"];
  skipped: CommandsSent["skipped"];
}

/** Sends a command to nodes, some at a time; `onPart` hears of what was sent so far. */
export async function sendToAll(
  nodes: readonly Pick<Target, "id">[],
  command: string,
  params: Record<string, unknown>,
  onPart: (sent: number) => void,
): Promise<Sent> {
  const all: Sent = { commands: [], skipped: [] };
  for (let from = 0; from < nodes.length; from += atOnce) {
    const part = nodes.slice(from, from + atOnce).map(({ id }) => id);
    const { commands, skipped } = await api("POST /api/fleet/commands", {
      body: { instance_ids: part, command, params },
    });
    all.commands.push(...commands);
    all.skipped.push(...skipped);
    onPart(Math.min(nodes.length, from + atOnce));
  }
  return all;
}
