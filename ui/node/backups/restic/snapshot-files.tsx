import type { ResticRepository } from "../../../../src/node/backups/restic/contract.ts";
import { query } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { saveFrom } from "../../client/save-from.ts";
import { SavedFiles } from "../backups/file-table.tsx";
import { FolderPage, openFolder, Way } from "../backups/folder-card.tsx";

/** A folder of a snapshot, page by page. */
export function SnapshotFiles({ repository: { id }, snapshot }: { repository: ResticRepository; snapshot: string }) {
  const path = query.value.get("path") ?? "";
  const from = Number(query.value.get("from") ?? 0) || 0;
  const folder = useResource("GET /api/backup/restic/{id}/snapshots/{snapshot}/files", {
    path: { id, snapshot },
    query: { path, from },
  });
  const hrefOf = (of: string): string =>
    `/api/backup/restic/${encodeURIComponent(id)}/snapshots/${encodeURIComponent(snapshot)}/download?${new URLSearchParams({ path: of })}`;
  const top = `Snapshot ${snapshot.slice(0, 8)}`;
  return (
    <Card title={top}>
      <div class="treeway row backuprow">
        <LinkButton size="sm" icon="left" href={`/backups/restic/${id}`}>
          All snapshots
        </LinkButton>
        <Button size="sm" icon="download" onClick={() => void saveFrom(hrefOf(path))}>
          Download this folder
        </Button>
      </div>
      <Way top={top} path={path} />
      <Loaded of={folder} what="This folder" skeleton={<Skeleton rows={5} />}>
        {(page) => (
          <FolderPage path={path} from={from} page={page}>
            <SavedFiles
              label={`Files in ${path === "" ? top : path}`}
              rows={page.files.map((file) => ({ file }))}
              keyOf={({ file }) => file.path}
              hrefOf={({ file }) => hrefOf(file.path)}
              onOpen={({ file }) => openFolder(file.path)}
            />
          </FolderPage>
        )}
      </Loaded>
    </Card>
  );
}
