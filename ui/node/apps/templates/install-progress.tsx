import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";
import { navigate } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { OperationLog, OperationSteps } from "../../platform/operations/operation-steps.tsx";
import { actOnApp } from "../apps/app-actions.ts";
import { reachOf } from "../apps/app-state.ts";
import { FirstRunNotes } from "../apps/first-run.tsx";
import type { Started } from "./install-dialog.tsx";

/** Steps and log while the app is installed; then how to open it, or why it failed. */
export function InstallProgress({
  template,
  lead,
  started,
  onClose,
}: {
  template: TemplateDetail;
  lead: ComponentChildren;
  started: Started;
  onClose: () => void;
}) {
  const app = useResource("GET /api/apps/{id}", { path: { id: started.appId } });
  const detail = app.data.value;
  const view = useOperation(detail?.op_id ?? started.opId);
  const running = view.steps.findIndex((step) => step.status === "running");
  useEffect(() => {
    if (view.status !== "running") void app.refresh();
  }, [view.status, app]);
  const reach = detail === null ? null : reachOf(detail);
  const titles = {
    running: `Installing ${template.display_name}`,
    done: `${template.display_name} is running`,
    failed: `${template.display_name} could not be installed`,
  };
  const sub =
    view.status === "running" && running >= 0
      ? `Step ${running + 1} of ${view.steps.length}`
      : `Version ${template.version}`;
  const stop = async (): Promise<void> => {
    await api("DELETE /api/apps/{id}", { path: { id: started.appId }, query: { delete_data: true } }).catch(() => null);
    onClose();
  };
  return (
    <Dialog
      title={titles[view.status]}
      sub={sub}
      lead={lead}
      onClose={onClose}
      foot={
        view.status === "running" ? (
          <>
            <span class="t13 c3 cut no-sm">You may leave, it keeps running</span>
            <Button kind="danger" class="push" onClick={() => void stop()}>
              Stop
            </Button>
            <Button onClick={onClose}>Run in background</Button>
          </>
        ) : (
          <>
            <Button class="push" onClick={() => navigate(`/apps/${started.appId}`)}>
              See app
            </Button>
            {view.status === "done" && reach?.kind === "open" && (
              <LinkButton href={reach.url} kind="primary" icon="external" external>
                Open
              </LinkButton>
            )}
            {view.status === "failed" && detail !== null && (
              <Button kind="primary" onClick={() => void actOnApp(detail, "retry").then(() => app.refresh())}>
                Try again
              </Button>
            )}
          </>
        )
      }
    >
      <div class="stack">
        {view.status === "failed" && (
          <Banner state="crit">
            {detail?.cause ?? view.error} {detail?.next_step}
          </Banner>
        )}
        <OperationSteps view={view} />
        {view.status === "done" && detail !== null && <FirstRunNotes app={detail} />}
        <OperationLog view={view} />
      </div>
    </Dialog>
  );
}
