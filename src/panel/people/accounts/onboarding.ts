import type { Actor } from "../../actor.ts";
import type { PanelContext } from "../../context.ts";
import { byMember } from "../../event-meaning.ts";
import { type LoginBody, requirePermission } from "../sessions/index.ts";
import { updateOnboardingCompleted } from "../tenants/index.ts";
import { putMode } from "../workspace-settings/index.ts";
import type { OnboardingInput } from "./contract.ts";
import { refresh } from "./logic.ts";

type Deps = Pick<PanelContext, "system" | "clock" | "config" | "ids" | "tokens" | "attempts" | "bus">;

/**
 * The first steps of a person: says what the workspace is for, which takes the permission to change settings, and that they
 * are through; without a mode always the latter. Gives a token that knows it. Throws `permission_missing`, `session_replaced`.
 */
export async function takeOnboardingStep(
  deps: Deps,
  actor: Actor,
  ip: string,
  { mode, complete }: OnboardingInput,
): Promise<LoginBody> {
  if (mode !== undefined) {
    requirePermission(actor, "settings:write");
    await putMode(deps, actor, ip, mode);
  }
  if (complete ?? mode === undefined)
    await deps.system.tx(async (tx) => {
      await updateOnboardingCompleted(tx, actor.account_id);
      await deps.bus.emit(tx, "account.onboarding", { by: byMember(actor, ip) });
    });
  return refresh(deps, actor);
}
