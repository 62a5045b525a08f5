import { useEffect } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { resource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { OperationLog, OperationSteps } from "../../platform/operations/operation-steps.tsx";
import { CancelPull } from "./cancel-pull.tsx";

/** Shows how a pull or a run goes, and what to do when it failed. */
export function WorkDialog({
  titles,
  subject,
  opId,
  refreshes,
  again,
  againLabel = "Change and try again",
  onClose,
}: {
  titles: Record<"running" | "done" | "failed", string>;
  subject: string;
  opId: string;
  /** The list that is another one afterwards. */
  refreshes: "GET /api/containers" | "GET /api/containers/images";
  again: () => void;
  againLabel?: string;
  onClose: () => void;
}) {
  const view = useOperation(opId);
  useEffect(() => {
    if (view.status === "done") void resource(refreshes).refresh();
  }, [view.status, refreshes]);
  return (
    <Dialog
      title={titles[view.status]}
      sub={subject}
      onClose={onClose}
      foot={
        <>
          <CancelPull view={view} onDone={onClose} />
          {view.status === "failed" && <Button onClick={again}>{againLabel}</Button>}
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
