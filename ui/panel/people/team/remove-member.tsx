import { asProblem } from "../../../client/problem.ts";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import type { Member } from "../../client/types.ts";

/** Asks before somebody loses their way into this workspace. */
export function RemoveMember({
  member,
  onDone,
  onClose,
}: {
  member: Pick<Member, "id" | "display_name" | "email">;
  onDone: () => void;
  onClose: () => void;
}) {
  const remove = async (): Promise<void> => {
    await api("DELETE /api/team/members/{id}", { path: { id: member.id } }).catch((error: unknown) => {
      throw new Error(asProblem(error).message);
    });
    onClose();
    onDone();
    toast(`${member.display_name} has no way in any more.`);
  };
  return (
    <ConfirmDanger
      title={`Remove ${member.display_name}?`}
      typed={null}
      action="Remove"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {member.email} loses this workspace at once, on every device. Accounts that signing in through here made on
        servers stay there: switch them off on each server.
      </p>
    </ConfirmDanger>
  );
}
