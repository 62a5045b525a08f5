import { useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { endSession, enterWorkspace, user } from "../../client/session.ts";
import { useProof } from "../factors/use-proof.tsx";

/** The end of a workspace, for its owners. */
export function DeleteCard() {
  const [isAsking, setAsking] = useState(false);
  const proof = useProof();
  const who = user.value;
  if (who?.role !== "org_owner") return null;
  const { tenant_id: id, tenant_name: name } = who;
  const remove = async (): Promise<void> => {
    const gone = await api("DELETE /api/workspaces/{id}", { path: { id } });
    toast(`${name} is deleted.`);
    if (gone.token === undefined || gone.user === undefined) return endSession();
    enterWorkspace({ token: gone.token, user: gone.user });
  };
  const confirm = async (): Promise<void> => {
    await proof.tryOut(remove).catch((error: unknown) => {
      throw new Error(asProblem(error).message);
    });
    setAsking(false);
  };
  return (
    <Card title="Delete this workspace" class="start" w={6}>
      <div class="card-b stack">
        <p class="c2">
          It goes for everybody, with its settings, its history and its audit log. Its nodes have to be deleted first,
          and its clients too.
        </p>
        <div class="btns">
          <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
            Delete workspace
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDanger
          title={`Delete ${name}?`}
          typed={name}
          action="Delete"
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>Nobody can bring it back, also not whoever runs this panel.</p>
        </ConfirmDanger>
      )}
      {proof.dialog}
    </Card>
  );
}
