import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { type LoginBody, requireOwnPermission } from "../sessions/index.ts";
import type { OnboardingInput } from "./contract.ts";
import { refresh } from "./logic.ts";
import type { Needs } from "./needs.ts";

/**
 * The first steps of a person: says what the workspace is for, which takes the permission to change settings, and that they
 * are through; without a mode always the latter. Gives a token that knows it. Throws `permission_missing`,
 * `staff_use_admin_console`, `session_replaced`.
 */
export async function takeOnboardingStep(
  needs: Needs,
  actor: Actor,
  ip: string,
  { mode, complete }: OnboardingInput,
): Promise<LoginBody> {
  if (mode !== undefined) {
    requireOwnPermission(actor, "settings:write");
    await needs.workspaceSettings.putMode(actor, ip, mode);
  }
  if (complete ?? mode === undefined)
    await needs.system.by(actor).tx(async (tx) => {
      await needs.tenants.updateOnboardingCompleted(tx, actor.account_id);
      await needs.bus.emit(tx, "account.onboarding", { by: byMember(actor, ip) });
    });
  return refresh(needs, actor);
}
