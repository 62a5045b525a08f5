import { useEffect } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Banner, Card } from "../../../kit/card.tsx";
import { resource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { OperationLog, OperationSteps } from "../../platform/operations/operation-steps.tsx";
import { CancelPull } from "../containers/cancel-pull.tsx";

const TITLES = { running: "At work", done: "Done", failed: "This did not work" } as const;

/** How the work on a project goes. */
export function WorkCard({ opId, onClose }: { opId: string; onClose: () => void }) {
  const view = useOperation(opId);
  useEffect(() => {
    if (view.status !== "running") void resource("GET /api/containers/compose").refresh();
  }, [view.status]);
  return (
    <Card
      title={TITLES[view.status]}
      foot={
        <>
          <CancelPull view={view} />
          <Button class="push" kind={view.status === "done" ? "primary" : "default"} onClick={onClose}>
            {view.status === "running" ? "Go on in the background" : "To the projects"}
          </Button>
        </>
      }
    >
      <div class="card-b stack">
        {view.status === "failed" && (
          <Banner state="crit">
            {view.error} {view.nextStep}
          </Banner>
        )}
        <OperationSteps view={view} />
        <OperationLog view={view} />
      </div>
    </Card>
  );
}
