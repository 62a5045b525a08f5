import { useEffect, useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { OperationLog, OperationSteps } from "../../platform/operations/operation-steps.tsx";

/** Asks for an image, then shows how its pull goes. */
export function PullDialog({ onClose }: { onClose: () => void }) {
  const [image, setImage] = useState("");
  const [opId, setOpId] = useState<string | null>(null);
  const attempt = useAttempt();
  if (opId !== null) return <Pulling image={image.trim()} opId={opId} again={() => setOpId(null)} onClose={onClose} />;
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

function Pulling({
  image,
  opId,
  again,
  onClose,
}: {
  image: string;
  opId: string;
  again: () => void;
  onClose: () => void;
}) {
  const view = useOperation(opId);
  useEffect(() => {
    if (view.status === "done") void resource("GET /api/containers/images").refresh();
  }, [view.status]);
  const titles = { running: "Pulling", done: "The image is here", failed: "The image could not be pulled" };
  return (
    <Dialog
      title={titles[view.status]}
      sub={image}
      onClose={onClose}
      foot={
        <>
          {view.status === "failed" && <Button onClick={again}>Change and try again</Button>}
          <Button class="push" kind={view.status === "done" ? "primary" : "default"} onClick={onClose}>
            {view.status === "running" ? "Run in background" : "Close"}
          </Button>
        </>
      }
    >
      <div class="stack">
        {view.status === "failed" && <Banner state="crit">{view.error}</Banner>}
        <OperationSteps view={view} />
        <OperationLog view={view} />
      </div>
    </Dialog>
  );
}
