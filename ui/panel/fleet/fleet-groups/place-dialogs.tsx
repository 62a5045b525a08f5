import { useState } from "preact/hooks";
import type { Group } from "../../../../src/panel/fleet/fleet-groups/contract.ts";
import { Select } from "../../../kit/choice.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { type NodeRef, nodesText } from "./each-node.ts";
import { type NodesDialogProps, useNodesChange } from "./use-change.ts";

/** Says where nodes are; an empty region goes back to what each node tells of itself. */
export function RegionDialog({ region, ...dialog }: NodesDialogProps & { region: string | null }) {
  const { nodes, onClose } = dialog;
  const [text, setText] = useState(region ?? "");
  const { attempt, action, change } = useNodesChange(dialog);
  const send = (): Promise<boolean> => {
    const body = { region: text.trim() };
    const work = ({ id }: NodeRef) => api("PUT /api/fleet/instances/{id}/region", { path: { id }, body });
    return change(async () => work, body.region === "" ? "region found by itself again." : `now in ${body.region}.`);
  };
  return (
    <FormDialog
      title={`Region of ${nodesText(nodes)}`}
      action={action("Save")}
      ready
      attempt={attempt}
      refusal={attempt.besides("region")}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Input
        label="Region"
        {...attempt.field("region", text, setText)}
        hint="Such as eu-central. Leave it empty to use what the node finds out by itself."
        autocomplete="off"
        spellcheck={false}
      />
    </FormDialog>
  );
}

const fresh = "new";
const none = "none";

/** Puts nodes into a group, into a new one, or into none. */
export function GroupDialog({ group, ...dialog }: NodesDialogProps & { group: string | null }) {
  const { nodes, onClose } = dialog;
  const groups = useResource("GET /api/fleet/groups");
  const list = groups.data.value ?? [];
  const [choice, setChoice] = useState(group ?? none);
  const [name, setName] = useState("");
  const { attempt, action, change } = useNodesChange(dialog);
  const send = async (): Promise<void> => {
    await change(async () => {
      const body = { group_id: await targetOf(choice, name.trim()) };
      return ({ id }) => api("PUT /api/fleet/instances/{id}/group", { path: { id }, body });
    }, "the group is changed.");
    void groups.refresh();
  };
  return (
    <FormDialog
      title={`Group of ${nodesText(nodes)}`}
      action={action("Save")}
      ready={choice !== fresh || name.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Field label="Group">
        {() => <Select label="Group" value={choice} onValue={setChoice} options={optionsOf(list)} />}
      </Field>
      {choice === fresh && (
        <Input label="Name of the new group" {...attempt.field("name", name, setName)} autocomplete="off" />
      )}
    </FormDialog>
  );
}

async function targetOf(choice: string, name: string): Promise<string | null> {
  if (choice === none) return null;
  if (choice !== fresh) return choice;
  return (await api("POST /api/fleet/groups", { body: { name } })).id;
}

function optionsOf(groups: readonly Group[]): { value: string; label: string }[] {
  return [
    { value: none, label: "No group" },
    ...groups.map(({ id, name }) => ({ value: id, label: name })),
    { value: fresh, label: "New group…" },
  ];
}
