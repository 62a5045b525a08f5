import { useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { setQuery } from "../../../client/router.ts";
import { Checkbox } from "../../../kit/choice.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { api } from "../../client/api.ts";

/** Asks before a project goes; its volumes stay unless somebody says otherwise. */
export function RemoveProject({ name, onClose }: { name: string; onClose: () => void }) {
  const [withVolumes, setWithVolumes] = useState(false);
  const remove = async (): Promise<void> => {
    const options = { path: { name }, query: { volumes: withVolumes } };
    const { op_id } = await api("DELETE /api/containers/compose/{name}", options).catch((error: unknown) => {
      throw new Error(asProblem(error).message);
    });
    onClose();
    setQuery({ op: op_id }, { isStep: true });
  };
  return (
    <ConfirmDanger
      title={`Remove ${name}?`}
      typed={withVolumes ? name : null}
      action="Remove"
      onConfirm={remove}
      onClose={onClose}
    >
      <div class="stack">
        <p>Its containers, its networks and its file go. Copy the file first if you may want it again.</p>
        <Checkbox checked={withVolumes} onChecked={setWithVolumes}>
          Delete its volumes too, with all data in them
        </Checkbox>
      </div>
    </ConfirmDanger>
  );
}
