import { useState } from "preact/hooks";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { WorkDialog } from "./work-dialog.tsx";

/** Asks for an image, then shows how its pull goes. */
export function PullDialog({
  image: wanted = "",
  refreshes = "GET /api/containers/images",
  onClose,
}: {
  /** What is proposed. */
  image?: string;
  /** The list that is another one afterwards. */
  refreshes?: "GET /api/containers" | "GET /api/containers/images";
  onClose: () => void;
}) {
  const [image, setImage] = useState(wanted);
  const [opId, setOpId] = useState<string | null>(null);
  const attempt = useAttempt();
  if (opId !== null)
    return (
      <WorkDialog
        titles={{ running: "Pulling", done: "The image is here", failed: "The image could not be pulled" }}
        subject={image.trim()}
        opId={opId}
        refreshes={refreshes}
        again={() => setOpId(null)}
        onClose={onClose}
      />
    );
  const isReference = attempt.errorOf("image") === null;
  const submit = () =>
    attempt.send(async () => {
      const { op_id } = await api("POST /api/containers/images/pull", { body: { image: image.trim() } });
      setOpId(op_id);
    });
  return (
    <FormDialog
      title="Pull an image"
      action="Pull"
      ready={image.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("image")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Image"
        value={image}
        onValue={attempt.edits("image", setImage)}
        hint="Such as nginx:1.29, ghcr.io/owner/name:tag or registry.lan:5000/name."
        error={isReference ? null : "Write it as Docker does: registry/name:tag, in lower case, without https://."}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
      />
    </FormDialog>
  );
}
