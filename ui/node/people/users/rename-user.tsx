import type { User } from "../../../../src/node/people/users/contract.ts";
import { toast } from "../../../kit/toasts.ts";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { api } from "../../client/api.ts";
import { user } from "../../client/session.ts";
import { usernameProblem } from "./user-name.ts";

/** Gives an account another name to sign in with; an administrator's own too. */
export function RenameUser({
  target,
  onClose,
  onRenamed,
}: {
  target: Pick<User, "id" | "username">;
  onClose: () => void;
  onRenamed: (changed: User) => void;
}) {
  const rename = async (username: string): Promise<void> => {
    const changed = await api("PATCH /api/users/{id}", { path: { id: target.id }, body: { username } });
    const own = user.peek();
    if (own?.id === changed.id) user.value = { ...own, username: changed.username };
    onRenamed(changed);
    toast(`${target.username} is now called ${changed.username}.`);
    onClose();
  };
  return (
    <NameDialog
      title={`Rename ${target.username}`}
      name={target.username}
      hint="From now on this name signs in; the passphrase stays, and so do all sessions."
      action="Rename"
      faultOf={usernameProblem}
      onName={rename}
      onClose={onClose}
    />
  );
}
