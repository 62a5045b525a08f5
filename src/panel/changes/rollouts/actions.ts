import { readVerb } from "../commands/index.ts";
import { type Action, fail, type Kind } from "./contract.ts";

/** What nodes can be sent in rollouts of each kind: only what they carry out, and can take back. */
const ALLOWED: Record<Kind, readonly string[]> = {
  os_version: [],
  app: ["app.start", "app.stop", "app.restart", "app.update", "app.rollback"],
  config: ["run_command"],
};

/** The action of a rollout; null for system versions, which have their own. Throws `rollout_action_missing`, `rollout_action_invalid`. */
export function checkAction(kind: Kind, action: Action | undefined): Action | null {
  if (kind === "os_version") {
    if (action)
      throw fail("rollout_action_invalid", { command: action.command_type, kind, known: "update.apply alone" });
    return null;
  }
  if (!action) throw fail("rollout_action_missing", { kind });
  const payload = checkVerb(kind, action.command_type, action.payload);
  const rollback = checkVerb(kind, action.rollback_command_type, action.rollback_payload);
  return { ...action, payload, rollback_payload: rollback };
}

function checkVerb(kind: Kind, command: string, payload: Record<string, unknown> = {}): Record<string, unknown> {
  const known = ALLOWED[kind];
  if (!known.includes(command)) throw fail("rollout_action_invalid", { command, kind, known: known.join(", ") });
  return readVerb(command, payload, "").payload;
}
