import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { type NodeRef, nodesText } from "./each-node.ts";
import { type NodesDialogProps, useNodesChange } from "./use-change.ts";

/** Says that nodes are off, before their silence does. */
export function OfflineDialog(dialog: NodesDialogProps) {
  const { nodes, onClose } = dialog;
  const { attempt, action, change } = useNodesChange(dialog);
  const work = ({ id }: NodeRef) => api("POST /api/fleet/instances/{id}/mark-offline", { path: { id } });
  return (
    <FormDialog
      title={`Mark ${nodesText(nodes)} as offline?`}
      action={action("Mark as offline")}
      ready
      attempt={attempt}
      onSubmit={() => void change(async () => work, "offline until it reports again.")}
      onClose={onClose}
    >
      <p>
        For a server that you know is off, so that nobody waits ten minutes for its silence. Nothing is sent to the
        server: if it still runs, it is online again with its next report, within a minute.
      </p>
    </FormDialog>
  );
}
