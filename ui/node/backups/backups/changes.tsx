import { useState } from "preact/hooks";
import type { BackupVolume, FileChanges } from "../../../../src/node/backups/backups/browse-contract.ts";
import type { Backup } from "../../../../src/node/backups/backups/contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";

/** What is other in a backup than in one that is chosen. */
export function Changes({
  backup,
  backups,
  volume,
}: {
  backup: Backup;
  backups: readonly Backup[];
  volume: BackupVolume;
}) {
  const others = backups.filter(
    ({ id, status, apps }) => id !== backup.id && status === "completed" && apps.includes(volume.app),
  );
  const usual = others.find(({ started_at }) => started_at < backup.started_at) ?? others[0];
  const against = others.find(({ id }) => id === query.value.get("against")) ?? usual;
  if (against === undefined)
    return (
      <Card title="Changes">
        <EmptyState title="Nothing to compare it with" action={<LinkButton href="/backups">Back up again</LinkButton>}>
          {`No other backup has data of ${volume.app_name}.`}
        </EmptyState>
      </Card>
    );
  return (
    <Card title="Changes">
      <div class="treeway row">
        <span class="t13 c3">Compared with the backup of</span>
        <Select
          label="Compared with the backup of"
          value={against.id}
          options={others.map(({ id, started_at }) => ({ value: id, label: moment(started_at) }))}
          onValue={(value) => setQuery({ against: value })}
        />
      </div>
      <Compared key={against.id} backup={backup} against={against.id} volume={volume} />
    </Card>
  );
}

function Compared({ backup, against, volume }: { backup: Backup; against: string; volume: BackupVolume }) {
  const changes = useResource("GET /api/backups/{id}/changes", {
    path: { id: backup.id },
    query: { app: volume.app, volume: volume.volume, against },
  });
  const [isOpening, setOpening] = useState(false);
  const open = async (): Promise<void> => {
    setOpening(true);
    try {
      await api("POST /api/backups/{id}/browse", { path: { id: against } });
      toast("The other backup is being read. Look again in a while.");
      await changes.refresh();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setOpening(false);
    }
  };
  if (changes.problem.value?.code === "backup_not_read" && changes.data.value === null)
    return (
      <EmptyState
        title="The other backup was not opened yet"
        action={
          <span class="row">
            <Button kind="primary" busy={isOpening} onClick={() => void open()}>
              Read it
            </Button>
            <Button onClick={() => void changes.refresh()}>Look again</Button>
          </span>
        }
      >
        What stands in it has to be read once before it can be compared.
      </EmptyState>
    );
  return (
    <Loaded of={changes} what="The changes" skeleton={<Skeleton rows={4} />}>
      {(found) => <ChangeList changes={found} />}
    </Loaded>
  );
}

const WORDS = { added: "new", removed: "gone", changed: "changed" } as const;

const sizes = (before: number | null, after: number | null): string =>
  [before, after].map((size) => (size === null ? "none" : bytesText(size))).join(" to ");

/** Paths that are other, with what became of each. */
export function ChangeList({ changes: { added, removed, changed, unchanged, changes } }: { changes: FileChanges }) {
  const all = added + removed + changed;
  return (
    <>
      <p class="treeway" role="status">
        {all === 0
          ? `Nothing is other: ${unchanged === 1 ? "it is" : `all ${unchanged} are`} the same.`
          : `${added} new, ${changed} changed, ${removed} gone, ${unchanged} the same.`}
      </p>
      {all > 0 && (
        <DataTable
          label="What is other"
          folds
          compact
          rows={changes}
          keyOf={({ path }) => path}
          columns={[
            { id: "path", title: "Path", cell: ({ path }) => <span class="backuppath">{path}</span> },
            { id: "change", title: "What", cell: ({ change }) => WORDS[change] },
            {
              id: "size",
              title: "Size",
              number: true,
              cell: ({ kind, size_before, size_after }) => (kind === "file" ? sizes(size_before, size_after) : ""),
            },
          ]}
        />
      )}
      {all > changes.length && <p class="treeway t13 c3">{`The first ${changes.length} of ${all} are shown.`}</p>}
    </>
  );
}
