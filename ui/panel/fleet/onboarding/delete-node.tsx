import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import type { NodeRef } from "../fleet-groups/each-node.ts";

/** Takes a node out of the fleet, after its name was typed. */
export function DeleteNode({ node, onDone, onClose }: { node: NodeRef; onDone: () => void; onClose: () => void }) {
  const { id, hostname } = node;
  return (
    <ConfirmDanger
      title={`Delete ${hostname} from the fleet?`}
      typed={hostname}
      action="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await api("DELETE /api/fleet/instances/{id}", { path: { id } });
        onClose();
        onDone();
        toast(`${hostname} is no longer part of the fleet.`);
      }}
    >
      <p>
        Its certificate stops working at once and its history in the panel goes. The server itself, its apps and its
        data stay as they are. To bring it back, enrol it again.
      </p>
    </ConfirmDanger>
  );
}
