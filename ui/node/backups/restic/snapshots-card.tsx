import type { ResticRepository, ResticSnapshot } from "../../../../src/node/backups/restic/contract.ts";
import { bytesText, count, moment } from "../../../client/format.ts";
import { query } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Banner, Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { Pages } from "../backups/folder-card.tsx";

/** What a snapshot is of, in one line. */
const describe = ({ host, paths, tags }: ResticSnapshot): string =>
  [host, paths.join(", "), tags.join(", ")].filter((part) => part !== "").join(" · ");

/** The snapshots of a repository, newest first. */
export function SnapshotsCard({ repository, onRead }: { repository: ResticRepository; onRead: () => void }) {
  const from = Number(query.value.get("from") ?? 0) || 0;
  const snapshots = useResource("GET /api/backup/restic/{id}/snapshots", {
    path: { id: repository.id },
    query: { from },
  });
  const columns: Column<ResticSnapshot>[] = [
    {
      id: "made",
      title: "Made",
      cell: (one) => (
        <span class="backuppath backupmade">
          {moment(one.created_at)}
          <span class="backupnote t13 c3">{describe(one)}</span>
        </span>
      ),
    },
    {
      id: "size",
      title: "Size",
      number: true,
      cell: ({ size_bytes }) => (size_bytes === null ? "not known" : bytesText(size_bytes)),
    },
    {
      id: "acts",
      title: "",
      cell: ({ id, created_at }) => (
        <span class="acts row">
          <LinkButton size="sm" href={`/backups/restic/${repository.id}?snapshot=${id}`}>
            Files<span class="sr">{` of ${moment(created_at)}`}</span>
          </LinkButton>
        </span>
      ),
    },
  ];
  return (
    <Card title="Snapshots" aside="newest first">
      <Loaded of={snapshots} what="Snapshots" skeleton={<Skeleton rows={5} />}>
        {({ snapshots: list, total, next, unreadable }) => (
          <>
            {unreadable > 0 && (
              <Banner state="crit">
                {`${count(unreadable, "snapshot is", "snapshots are")} damaged and not shown. Run restic check on the repository: it says what else is.`}
              </Banner>
            )}
            {list.length === 0 ? (
              <EmptyState title="No snapshots yet" action={<Button onClick={onRead}>Read it again</Button>}>
                restic has not backed up anything into this repository, or forgot all of it.
              </EmptyState>
            ) : (
              <>
                <DataTable label="Snapshots" folds columns={columns} rows={list} keyOf={({ id }) => id} />
                <Pages from={from} shown={list.length} total={total} next={next} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}
