import { asProblem } from "../../../client/problem.ts";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import type { Connector } from "./types.ts";

/** Asks before a connector is deleted. */
export function DeleteConnector({
  connector: { id, name },
  onDone,
  onClose,
}: {
  connector: Connector;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const remove = async (): Promise<void> => {
    await api("DELETE /api/sso/connectors/{id}", { path: { id } }).catch((error: unknown) => {
      throw new Error(asProblem(error).message);
    });
    onClose();
    toast(`${name} is deleted.`);
    await onDone();
  };
  return (
    <ConfirmDanger title={`Delete ${name}?`} typed={null} action="Delete" onConfirm={remove} onClose={onClose}>
      Whoever came in through it is signed out. They stay members; who has no passphrase yet chooses one by “Forgot your
      passphrase?”.
    </ConfirmDanger>
  );
}
