import { useEffect, useState } from "preact/hooks";
import type { Backup, RecoveryKit, Schedule, Target } from "../../../../src/node/backups/backups/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { ResticCard } from "../restic/restic-card.tsx";
import { DropOffsCard } from "./drop-offs-card.tsx";
import { KitDialog } from "./kit-dialog.tsx";
import { ListCard } from "./list-card.tsx";
import { ObjectsDialog } from "./objects-dialog.tsx";
import { PlansCard } from "./plans-card.tsx";
import { PoliciesCard } from "./policies-card.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { StartTestsCard } from "./start-tests-card.tsx";
import { TargetDialog } from "./target-dialog.tsx";
import { TargetsCard } from "./targets-card.tsx";
import { judge } from "./verdict.ts";
import { WorkCard } from "./work-card.tsx";

interface Known {
  targets: Target[];
  backups: Backup[];
  schedule: Schedule;
}

/** What is asked for in a dialog: a backup is the one whose apps are put back. */
type Asking = "run" | "target" | Backup | RecoveryKit | { objectsOf: Backup } | null;

/** Answers whether one would get one's data back, and sees to it that one does. */
export function Backups() {
  const targets = useResource("GET /api/backup/targets");
  const backups = useResource("GET /api/backups", { everyMs: 15_000 });
  const schedule = useResource("GET /api/backup/schedule");
  const refresh = () => void Promise.all([targets.refresh(), backups.refresh(), schedule.refresh()]);
  return (
    <div class="page">
      <header class="head">
        <h1>Backups</h1>
        <span class="t13 c3 no-sm">Would you get your data back?</span>
      </header>
      <Loaded of={targets} what="Targets" skeleton={<Waiting />}>
        {(places) => (
          <Loaded of={schedule} what="The schedule" skeleton={<Waiting />}>
            {(plan) => (
              <Loaded of={backups} what="Backups" skeleton={<Waiting />}>
                {(list) => <Content known={{ targets: places, backups: list, schedule: plan }} onChange={refresh} />}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}

function Waiting() {
  return (
    <Card>
      <Skeleton rows={4} />
    </Card>
  );
}

function Content({ known: { targets, backups, schedule }, onChange }: { known: Known; onChange: () => void }) {
  const apps = useResource("GET /api/apps").data.value ?? [];
  const tests = useResource("GET /api/backup/start-tests");
  const overview = useResource("GET /api/system/overview", { everyMs: 15_000 });
  const [asking, ask] = useState<Asking>(null);
  const [begun, setBegun] = useState<string | null>(null);
  const [read, setRead] = useState<Backup | null>(null);
  const opId = begun ?? backups.find(({ status }) => status === "in_progress")?.op_id ?? null;
  const work = useOperation(opId);
  useEffect(() => {
    if (work.status === "running") return;
    onChange();
    void tests.refresh();
  }, [work.status]);
  const current = backups.find(({ status }) => status === "in_progress");
  const underWay = current ?? read;
  const isBusy = opId !== null && work.status === "running";
  const close = () => ask(null);
  useWish("backup", () => ask("run"));
  useWish("backup-target", () => ask("target"));
  const follow = (id: string, read: Backup | null = null) => {
    close();
    setBegun(id);
    setRead(read);
    onChange();
  };
  const attempt = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const showKit = (id: string) =>
    attempt(async () => ask(await api("GET /api/backup/targets/{id}/kit", { path: { id } })));
  const verify = (backup: Backup) =>
    attempt(async () =>
      follow((await api("POST /api/backups/{id}/verify", { path: { id: backup.id } })).op_id, backup),
    );
  const startCopy = (id: string) =>
    attempt(async () => follow((await api("POST /api/backup/start-tests/{id}", { path: { id } })).op_id));
  const cancel = ({ id }: Backup) =>
    attempt(async () => {
      toast((await api("POST /api/backups/{id}/cancel", { path: { id } })).message);
      onChange();
    });
  // What can be done with backups is offered once there are some, and how they are made once they have a place.
  const mayTry = apps.length > 0 && backups.length > 0;
  const mayChoose = apps.length > 0 && targets.length > 0;
  const hasLeft = backups.length > 0 || mayChoose;
  const verdict = judge(targets, backups, schedule, apps, overview.data.value?.backup.left_out ?? null, Date.now());
  return (
    <div class="stack">
      <Card>
        <div class="backupverdict">
          <h2 class="backuptold">
            <Glyph state={verdict.state} /> {verdict.title}
          </h2>
          <p>{verdict.why}</p>
          <div class="row">
            {targets.length === 0 ? (
              <Button kind="primary" icon="plus" onClick={() => ask("target")}>
                Add a target
              </Button>
            ) : (
              <Button kind="primary" busy={isBusy} onClick={() => ask("run")}>
                Back up now
              </Button>
            )}
          </div>
          <p class="t13 c3">
            Measured series, Compose projects that were not installed from the store, and files outside of this node and
            its apps are not part of backups. Settings, apps, buckets and Drives are.
          </p>
        </div>
      </Card>
      {opId !== null && <WorkCard work={work} onCancel={underWay === null ? null : () => void cancel(underWay)} />}
      <div class={hasLeft ? "columns" : ""}>
        <div class="stack" hidden={!hasLeft}>
          {backups.length > 0 && (
            <ListCard
              backups={backups}
              targets={targets}
              isBusy={isBusy}
              onVerify={verify}
              onRestoreApps={ask}
              onRestoreObjects={(backup) => ask({ objectsOf: backup })}
            />
          )}
          {mayTry && <StartTestsCard tests={tests} isBusy={isBusy} onTry={(id) => void startCopy(id)} />}
          {mayChoose && <PoliciesCard />}
        </div>
        <div class="stack">
          {targets.length > 0 && (
            <TargetsCard
              targets={targets}
              onAdd={() => ask("target")}
              onKit={(id) => void showKit(id)}
              onChange={onChange}
            />
          )}
          {targets.length > 0 && <PlansCard schedule={schedule} targets={targets} apps={apps} onChange={onChange} />}
          <DropOffsCard />
          <ResticCard />
        </div>
      </div>
      {asking === "run" && <RunDialog targets={targets} apps={apps} onClose={close} onBegun={follow} />}
      {asking === "target" && (
        <TargetDialog
          onClose={close}
          onAdded={({ id }) => {
            onChange();
            void showKit(id);
          }}
        />
      )}
      {asking !== null && typeof asking === "object" && "recovery_key" in asking && (
        <KitDialog kit={asking} onClose={close} />
      )}
      {asking !== null && typeof asking === "object" && "objectsOf" in asking && (
        <ObjectsDialog backup={asking.objectsOf} onClose={close} onBegun={(id) => follow(id, asking.objectsOf)} />
      )}
      {asking !== null && typeof asking === "object" && "status" in asking && (
        <RestoreDialog backup={asking} apps={apps} onClose={close} onBegun={(id) => follow(id, asking)} />
      )}
    </div>
  );
}
