import { useState } from "preact/hooks";
import type { CheckReport } from "../../../../src/node/storage/objects/contract.ts";
import { ago, bytesText, count, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { useKept } from "./kept.ts";

const SHOWN = 10;

/** Whether all that is stored can still be read as it was. */
export function HealthCard() {
  const kept = useKept();
  const [isAsked, setAsked] = useState(false);
  const report = useResource("GET /api/objects/check", { everyMs: isAsked ? 1_000 : 60_000 });
  const isRunning = report.data.value?.status === "running";
  if (isAsked && report.data.value !== null && !isRunning) setAsked(false);
  const start = async (): Promise<void> => {
    try {
      await api("POST /api/objects/check");
      await report.refresh();
      setAsked(true);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const check = (
    <Button size="sm" busy={isRunning} onClick={() => void start()}>
      Check now
    </Button>
  );
  return (
    <Card
      title={kept === null || kept === "embedded" ? "Health" : "Health of this server's own store"}
      aside="every stored byte is read again each week"
      actions={check}
      class="objectscard"
    >
      <div class="card-b stack">
        <Loaded of={report} what="Health" skeleton={<Skeleton rows={1} />}>
          {(data) => <Findings report={data} />}
        </Loaded>
      </div>
    </Card>
  );
}

function Findings({ report }: { report: CheckReport }) {
  const { status, damaged, damaged_count, mended, finished_at, checked_bytes, total_bytes } = report;
  const share = total_bytes === 0 ? null : Math.min(100, (checked_bytes / total_bytes) * 100);
  return (
    <>
      <p aria-live="polite">
        {damaged_count > 0 ? (
          <Status state="crit">{count(damaged_count, "stored piece")} cannot be read as stored</Status>
        ) : status === "never" ? (
          <Status state="off">Nothing was checked yet; it begins by itself</Status>
        ) : (
          <Status state="ok">No damage found</Status>
        )}
      </p>
      {(status === "running" || status === "underway") && (
        <div class="stack">
          <Progress value={share} label="How much was checked" />
          <p class="hint">
            {bytesText(checked_bytes)} of {bytesText(total_bytes)} checked
            {status === "underway" && "; it goes on in small steps, so that nobody has to wait for the disk"}
          </p>
        </div>
      )}
      {status === "done" && finished_at !== null && (
        <p class="hint">
          <span data-tip={moment(finished_at)}>
            {bytesText(checked_bytes)} checked, last {ago(finished_at)}
          </span>
        </p>
      )}
      {mended > 0 && (
        <p class="hint">
          {count(mended, "piece")} with a flipped bit put right. Look at the disk before it gets worse.
        </p>
      )}
      {damaged.length > 0 && (
        <>
          <ul class="stack objectsent">
            {damaged.slice(0, SHOWN).map(({ objects, reason, found_at }) => (
              <li key={`${reason} ${found_at}`}>
                <b>{objects.length === 0 ? "A part of an unfinished upload" : objects.join(", ")}</b>{" "}
                <span class="c3">found {ago(found_at)}</span>
              </li>
            ))}
          </ul>
          {damaged_count > SHOWN && <p class="hint">and {damaged_count - SHOWN} more</p>}
          <p class="hint">
            Store these objects anew, from a backup or from where they came; they leave the list then. Bytes that change
            by themselves are a sign of a failing disk or memory: look at Disks.
          </p>
        </>
      )}
    </>
  );
}
