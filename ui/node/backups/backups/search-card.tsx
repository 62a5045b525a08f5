import { moment } from "../../../client/format.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { type FileRow, FileTable } from "./file-table.tsx";

const open = ({ backup, volume: { app, volume }, file }: FileRow): void =>
  navigate(`/backups/${backup}?${new URLSearchParams({ of: `${app}/${volume}`, path: file.path })}`);

/** Each state of what has these words in its name, with the newest backup that has it so. */
export function SearchCard({ words }: { words: string }) {
  const finds = useResource("GET /api/backup/search", { query: { q: words } });
  const here = new Set((useResource("GET /api/apps").data.value ?? []).map(({ id }) => id));
  return (
    <Card title="Found">
      <Loaded of={finds} what="The search" skeleton={<Skeleton rows={5} />}>
        {({ finds: found, has_more, searched, unread }) => (
          <>
            {found.length === 0 ? (
              <EmptyState title="Nothing of that name" action={<Unread ids={unread} />}>
                {searched === 1 ? "One backup was searched." : `${searched} backups were searched.`}
              </EmptyState>
            ) : (
              <FileTable
                label="What was found"
                rows={found.map(({ app, app_name, volume, backup_id, backup_at, backups, ...file }) => ({
                  backup: backup_id,
                  volume: { app, app_name, volume, is_here: here.has(app) },
                  file,
                  note: `${app_name}: ${file.path}, in ${
                    backups === 1 ? "the backup" : `${backups} backups, the last`
                  } of ${moment(backup_at)}`,
                }))}
                onOpen={open}
              />
            )}
            {has_more && <p class="treeway t13 c3">There is more. Say more of the name to find it.</p>}
            {found.length > 0 && unread.length > 0 && (
              <p class="treeway row">
                <Unread ids={unread} />
              </p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Backups that nobody has opened are not searched; opening the next one is a step. */
function Unread({ ids }: { ids: readonly string[] }) {
  const [next] = ids;
  if (next === undefined) return null;
  const others = ids.length === 1 ? "One backup was not opened yet" : `${ids.length} backups were not opened yet`;
  return (
    <>
      <span class="t13 c3">{`${others}, so it is not known what stands in there.`}</span>
      <Button size="sm" onClick={() => navigate(`/backups/${next}${location.search}`)}>
        Open the newest of them
      </Button>
    </>
  );
}
