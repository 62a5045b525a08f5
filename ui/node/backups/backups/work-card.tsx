import { Button } from "../../../kit/button.tsx";
import { Banner, Card } from "../../../kit/card.tsx";
import type { OperationView } from "../../platform/operations/operation-events.ts";
import { OperationSteps } from "../../platform/operations/operation-steps.tsx";

/** How far the work is, step by step, and how it ended. */
export function WorkCard({ work, onCancel }: { work: OperationView; onCancel: (() => void) | null }) {
  if (work.status === "done") return <Banner state="info">It is done.</Banner>;
  if (work.status === "failed")
    return <Banner state="crit">{[work.error ?? "That did not work.", work.nextStep ?? ""].join(" ").trim()}</Banner>;
  const cancel = onCancel !== null && (
    <Button size="sm" onClick={onCancel}>
      Cancel
    </Button>
  );
  return (
    <Card title="Under way" actions={cancel}>
      <div class="card-b">
        <OperationSteps view={work} />
      </div>
    </Card>
  );
}
