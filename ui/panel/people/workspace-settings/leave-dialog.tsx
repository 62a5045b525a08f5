import { asProblem } from "../../../client/problem.ts";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { endSession, enterWorkspace, user } from "../../client/session.ts";

/** Asks before the caller leaves the workspace they are in; takes them to the one they used last. */
export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const who = user.value;
  if (!who) return null;
  const leave = async (): Promise<void> => {
    const left = await api("POST /api/workspaces/{id}/leave", { path: { id: who.tenant_id } }).catch(
      (error: unknown) => {
        throw new Error(asProblem(error).message);
      },
    );
    onClose();
    toast(`You left ${who.tenant_name}.`);
    if (left.token === undefined || left.user === undefined) return endSession();
    enterWorkspace({ token: left.token, user: left.user });
  };
  return (
    <ConfirmDanger title={`Leave ${who.tenant_name}?`} typed={null} action="Leave" onConfirm={leave} onClose={onClose}>
      To come back you need somebody in it who lets you in again.
    </ConfirmDanger>
  );
}
