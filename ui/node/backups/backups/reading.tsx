import type { ComponentChildren } from "preact";
import { bytesText } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Progress } from "../../../kit/progress.tsx";
import type { OperationView } from "../../platform/operations/operation-events.ts";

/** How far the server is with reading something once. */
export function Reading({ work, children }: { work: OperationView; children: ComponentChildren }) {
  const [step] = work.steps;
  const done = step?.bytesDone ?? null;
  return (
    <Card title="Reading what stands in it">
      <div class="backupopening">
        <Progress value={step?.percent ?? null} label="How much has been read" />
        <p class="t13 c3">
          {done === null || step?.bytesTotal == null
            ? "It begins."
            : `${bytesText(done)} of ${bytesText(step.bytesTotal)}.`}{" "}
          {children}
        </p>
      </div>
    </Card>
  );
}
