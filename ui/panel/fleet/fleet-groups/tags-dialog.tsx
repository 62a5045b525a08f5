import { useState } from "preact/hooks";
import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { type NodeRef, nodesText } from "./each-node.ts";
import { addTags, readTags } from "./tags.ts";
import { type NodesDialogProps, useNodesChange } from "./use-change.ts";

interface TagsDialogProps extends NodesDialogProps {
  nodes: readonly Pick<Instance, "id" | "hostname" | "tags">[];
}

/** The tags of one node as a whole, or tags that several get besides their own. */
export function TagsDialog(dialog: TagsDialogProps) {
  const { nodes, onClose } = dialog;
  const [only] = nodes.length === 1 ? nodes : [];
  const [text, setText] = useState(only?.tags.join(" ") ?? "");
  const { attempt, action, change } = useNodesChange(dialog);
  const tags = readTags(text);
  const send = (): Promise<boolean> => {
    const known = new Map(nodes.map((node) => [node.id, node.tags]));
    const tagsOf = (id: string) => (only === undefined ? addTags(known.get(id) ?? [], tags) : tags);
    const work = ({ id }: NodeRef) =>
      api("PUT /api/fleet/instances/{id}/tags", { path: { id }, body: { tags: tagsOf(id) } });
    return change(async () => work, "the tags are changed.");
  };
  return (
    <FormDialog
      title={only === undefined ? `Tag ${nodesText(nodes)}` : `Tags of ${only.hostname}`}
      action={action("Save")}
      ready={only !== undefined || tags.length > 0}
      attempt={attempt}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Input
        label={only === undefined ? "Tags to add" : "Tags"}
        value={text}
        onValue={setText}
        hint="Short words, with spaces between them"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
    </FormDialog>
  );
}
