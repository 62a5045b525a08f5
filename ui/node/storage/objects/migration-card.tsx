import { useState } from "preact/hooks";
import type { MigrationReport } from "../../../../src/node/storage/object-migration/contract.ts";
import { bytesText, count, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Progress, type Step, Steps } from "../../../kit/progress.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

type Migration = NonNullable<MigrationReport["migration"]>;
type Phase = Migration["phase"];
type Asking = "leave" | "give-up" | "purge";

const SHOWN = 10;
const QUICK_MS = 2_000;
const STILL_MS = 60_000;

const isMoving = (phase: Phase | undefined): boolean => phase !== undefined && phase !== "done" && phase !== "failed";

/** How far the objects of the store that this server had before are brought over; nothing where it never had one. */
export function MigrationCard({ onChanged }: { onChanged: () => void }) {
  const [phase, setPhase] = useState<Phase | undefined>(undefined);
  const report = useResource("GET /api/objects/migration", { everyMs: isMoving(phase) ? QUICK_MS : STILL_MS });
  const [asking, ask] = useState<Asking | null>(null);
  const data = report.data.value;
  const now = data?.migration?.phase;
  if (now !== phase) {
    setPhase(now);
    // Buckets that came to light belong to the other cards.
    if (phase !== undefined && now === "done") onChanged();
  }
  if (data === null || data.migration === null) return null;
  const close = () => ask(null);
  const send = async (act: () => Promise<unknown>, words: string): Promise<void> => {
    await act();
    await report.refresh();
    toast(words);
    close();
  };
  const retry = (leave_out: boolean) =>
    send(() => api("POST /api/objects/migration/retry", { body: { leave_out } }), "It goes on.");
  const tryAgain = () =>
    void retry(false).catch((error: unknown) => toast(asProblem(error).message, { state: "crit" }));
  return (
    <>
      <Card title="From the previous store" aside={<span class="cut">MinIO in {data.folder}</span>} class="objectscard">
        <div class="card-b stack">
          <State report={data} migration={data.migration} />
          <Left report={data} />
          {isAdmin() && <Actions report={data} ask={ask} tryAgain={tryAgain} />}
        </div>
      </Card>
      {asking === "leave" && (
        <ConfirmDanger
          title={`Go on without ${count(data.problem_count, "object")}?`}
          typed={null}
          action="Go on without them"
          onConfirm={() => retry(true)}
          onClose={close}
        >
          They stay in the previous store alone, and go with it when it is removed.
        </ConfirmDanger>
      )}
      {asking === "give-up" && (
        <ConfirmDanger
          title="Give up bringing objects over?"
          typed={null}
          action="Give up"
          onConfirm={() => send(() => api("POST /api/objects/migration/give-up"), "Given up.")}
          onClose={close}
        >
          What was copied is removed here. The previous store stays as it is, and you can begin again.
        </ConfirmDanger>
      )}
      {asking === "purge" && (
        <ConfirmDanger
          title="Remove the previous store?"
          typed="remove"
          action="Remove for good"
          onConfirm={() =>
            send(() => api("POST /api/components/objstore/purge-minio"), "The previous store is removed.")
          }
          onClose={close}
        >
          Everything in {data.folder} is deleted, with all versions that it kept. There is no way back.
        </ConfirmDanger>
      )}
    </>
  );
}

function Actions({
  report: { may },
  ask,
  tryAgain,
}: {
  report: MigrationReport;
  ask: (what: Asking) => void;
  tryAgain: () => void;
}) {
  if (!Object.values(may).includes(true)) return null;
  return (
    <div class="objectacts">
      {may.give_up && (
        <Button size="sm" onClick={() => ask("give-up")}>
          Give up
        </Button>
      )}
      {may.leave_out && (
        <Button size="sm" onClick={() => ask("leave")}>
          Go on without them
        </Button>
      )}
      {may.retry && (
        <Button size="sm" kind="primary" onClick={tryAgain}>
          Try again
        </Button>
      )}
      {may.purge && (
        <Button size="sm" kind="danger" onClick={() => ask("purge")}>
          Remove the previous store
        </Button>
      )}
    </div>
  );
}

const STEPS: readonly [phases: readonly Phase[], title: string][] = [
  [["pending", "waiting_space"], "Look at what is there"],
  [["copying"], "Copy every object"],
  [["catching_up"], "Catch up with what changed meanwhile"],
  [["verifying"], "Read every object back"],
  [["switching"], "Show all buckets here"],
];

function stepsOf({ phase }: Migration): Step[] {
  const at = STEPS.findIndex(([phases]) => phases.includes(phase));
  return STEPS.map(([, title], index) => ({
    id: title,
    title,
    status: index < at ? "done" : index === at ? "running" : "pending",
  }));
}

/** The state in words, and how far it is. */
function State({ report, migration }: { report: MigrationReport; migration: Migration }) {
  const { phase, copied, total, bytes, error, drive_paused, purged } = migration;
  const share = report.total_bytes === 0 ? null : Math.min(100, (bytes / report.total_bytes) * 100);
  const amount = `${copied.toLocaleString("en")} of ${count(total, "object")}, ${bytesText(bytes)} of ${bytesText(report.total_bytes)}`;
  return (
    <>
      <p class="objectstate" aria-live="polite">
        {phase === "failed" ? (
          <Status state="crit">Not brought over</Status>
        ) : phase === "waiting_space" ? (
          <Status state="warn">Waiting for room</Status>
        ) : phase === "done" ? (
          <Status state={report.problem_count > 0 ? "warn" : "ok"}>
            {report.problem_count > 0 ? `${count(report.problem_count, "object")} stayed behind` : "Brought over"}
          </Status>
        ) : (
          <Status state="busy">Objects are being brought over</Status>
        )}
      </p>
      {phase === "done" && (
        <p class="hint">
          {count(copied, "object")} in {count(report.buckets.length, "bucket")} came over
          {report.switched_at !== null && `, ${moment(report.switched_at)}`}
        </p>
      )}
      {error !== undefined && <p>{error}</p>}
      {drive_paused === true && (
        <p>
          <Chip state="crit">The Drive is off</Chip>
        </p>
      )}
      {isMoving(phase) && (
        <>
          <Progress value={phase === "pending" ? null : share} label="How much was brought over" />
          <p class="hint">{phase === "pending" ? "Counting objects" : amount}</p>
          <Steps steps={stepsOf(migration)} />
        </>
      )}
      {phase === "failed" && total > 0 && <p class="hint">{amount} are here.</p>}
      {purged === true && (
        <p class="hint">The previous store is removed; that freed {bytesText(report.freed_bytes ?? 0)}.</p>
      )}
      {report.next_step !== null && (
        <p class="hint">
          <span>
            <b>Next:</b> {report.next_step}
          </span>
        </p>
      )}
    </>
  );
}

/** What is not here, object by object, and what of buckets has to be made anew. */
function Left({ report: { migration, problems, problem_count, buckets } }: { report: MigrationReport }) {
  const notes = buckets.flatMap(({ name, note }) => (note === null ? [] : [{ name, note }]));
  const more = problem_count - Math.min(SHOWN, problems.length);
  return (
    <>
      {problems.length > 0 && (
        <p class="hint">{migration?.phase === "done" ? "Stayed behind:" : "Could not be brought over:"}</p>
      )}
      {problems.length > 0 && (
        <ul class="stack objectsent" aria-label="Objects that stayed behind">
          {problems.slice(0, SHOWN).map(({ bucket, object, reason }) => (
            <li key={`${bucket}/${object}`}>
              <b>
                {bucket}/{object}
              </b>{" "}
              <span class="c3">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p class="hint">and {more.toLocaleString("en")} more</p>}
      {notes.length > 0 && (
        <ul class="stack objectsent" aria-label="What buckets left behind">
          {notes.map(({ name, note }) => (
            <li key={name}>
              <b>{name}</b> <span class="c3">{note}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
