import { Button } from "../../../kit/button.tsx";
import { Banner, Card } from "../../../kit/card.tsx";
import type { OperationView } from "../../platform/operations/operation-events.ts";
import { OperationLog, OperationSteps } from "../../platform/operations/operation-steps.tsx";

const TITLES: Record<OperationView["status"], string> = {
  running: "Changing components",
  done: "Components are changed",
  failed: "Components were not changed",
};

/** The change that is being carried out, or how the last one ended. */
export function WorkCard({ view, onClose }: { view: OperationView; onClose: () => void }) {
  const running = view.steps.findIndex(({ status }) => status === "running");
  const aside = view.status === "running" && running >= 0 ? `step ${running + 1} of ${view.steps.length}` : undefined;
  return (
    <Card
      class="plan"
      title={TITLES[view.status]}
      aside={aside}
      foot={
        view.status === "running" ? (
          <span class="t13 c3">You may leave this page, it goes on.</span>
        ) : (
          <Button class="push" onClick={onClose}>
            Close
          </Button>
        )
      }
    >
      <div class="card-b stack">
        {view.status === "failed" && (
          <Banner state="crit">
            {view.error} {view.nextStep}
          </Banner>
        )}
        {view.status === "done" && <Banner state="info">The system has everything as planned.</Banner>}
        <OperationSteps view={view} />
        <OperationLog view={view} />
      </div>
    </Card>
  );
}
