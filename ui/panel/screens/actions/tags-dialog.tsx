import { useState } from "preact/hooks";
import type { Instance } from "../../../../src/panel/features/fleet/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { changeAll, nodesText } from "./each-node.ts";
import { addTags, readTags } from "./tags.ts";

interface TagsDialogProps {
  nodes: readonly Pick<Instance, "id" | "hostname" | "tags">[];
  onDone: () => void;
  onClose: () => void;
}

/** The tags of one node as a whole, or tags that several get besides their own. */
export function TagsDialog({ nodes, onDone, onClose }: TagsDialogProps) {
  const [only] = nodes.length === 1 ? nodes : [];
  const [text, setText] = useState(only?.tags.join(" ") ?? "");
  const attempt = useAttempt();
  const tags = readTags(text);
  const send = async (): Promise<void> => {
    const known = new Map(nodes.map((node) => [node.id, node.tags]));
    const sent = await attempt.send(() =>
      changeAll(nodes, ({ id }) =>
        api("PUT /api/fleet/instances/{id}/tags", {
          path: { id },
          body: { tags: only === undefined ? addTags(known.get(id) ?? [], tags) : tags },
        }),
      ),
    );
    if (!sent) return;
    onClose();
    onDone();
    toast(`${nodesText(nodes)}: the tags are changed.`);
  };
  return (
    <FormDialog
      title={only === undefined ? `Tag ${nodesText(nodes)}` : `Tags of ${only.hostname}`}
      action="Save"
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
