import { useState } from "preact/hooks";
import { EmptyState } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Field } from "../../../kit/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { nodesText } from "./each-node.ts";
import { type NodesDialogProps, useNodesChange } from "./use-change.ts";

const none = "none";

/** Says for which client nodes work, or for none. */
export function ClientDialog({ client, ...dialog }: NodesDialogProps & { client: string | null }) {
  const { nodes, onClose } = dialog;
  const clients = useResource("GET /api/fleet/clients");
  const [choice, setChoice] = useState(client ?? none);
  const { attempt, action, change } = useNodesChange(dialog);
  const list = clients.data.value;
  const send = async (): Promise<void> => {
    const body = { client_id: choice === none ? null : choice };
    const name = list?.find(({ id }) => id === choice)?.name ?? "no client";
    await change(
      async () =>
        ({ id }) =>
          api("PUT /api/fleet/instances/{id}/client", { path: { id }, body }),
      `for ${name} now.`,
    );
    void clients.refresh();
  };
  const title = `Client of ${nodesText(nodes)}`;
  if (list === null || (list.length === 0 && client === null))
    return (
      <Dialog title={title} width="sm" onClose={onClose}>
        <Loaded of={clients} what="Clients">
          {() => (
            <EmptyState title="No client yet">
              A client is a workspace of its own. Make one from the list of workspaces: “Add workspace”, with “A
              client’s workspace” on.
            </EmptyState>
          )}
        </Loaded>
      </Dialog>
    );
  const options = [{ value: none, label: "No client" }, ...list.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <FormDialog
      title={title}
      action={action("Save")}
      ready
      attempt={attempt}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Field label="Client">
        {() => <Select label="Client" value={choice} onValue={setChoice} options={options} />}
      </Field>
    </FormDialog>
  );
}
