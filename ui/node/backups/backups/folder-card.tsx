import type { BackupVolume } from "../../../../src/node/backups/backups/browse-contract.ts";
import type { Backup } from "../../../../src/node/backups/backups/contract.ts";
import { count } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { FileTable } from "./file-table.tsx";

const open = (path: string): void => setQuery({ path, from: null }, { isStep: true });

/** A folder of a backup, page by page. */
export function FolderCard({ backup, volume }: { backup: Backup; volume: BackupVolume }) {
  const path = query.value.get("path") ?? "";
  const from = Number(query.value.get("from") ?? 0) || 0;
  const folder = useResource("GET /api/backups/{id}/files", {
    path: { id: backup.id },
    query: { app: volume.app, volume: volume.volume, path, from },
  });
  return (
    <Card title={`${volume.app_name}, ${volume.volume}`} aside={count(volume.entries, "entry", "entries")}>
      <Way top={volume.volume} path={path} />
      {!volume.is_here && (
        <p class="treeway t13 c3">This app is not installed here, so files can be downloaded, but not put back.</p>
      )}
      <Loaded of={folder} what="This folder" skeleton={<Skeleton rows={5} />}>
        {({ files, total, next }) =>
          files.length === 0 ? (
            <EmptyState
              title="Nothing in here"
              action={path !== "" && <Button onClick={() => open("")}>To the top</Button>}
            >
              This folder was empty when the backup was made.
            </EmptyState>
          ) : (
            <>
              <FileTable
                label={`Files in ${path === "" ? volume.volume : path}`}
                rows={files.map((file) => ({ backup: backup.id, volume, file }))}
                onOpen={({ file }) => open(file.path)}
              />
              {(from > 0 || next !== null) && (
                <p class="treeway row">
                  <span class="t13 c3">{`${from + 1} to ${from + files.length} of ${total}`}</span>
                  {from > 0 && (
                    <Button size="sm" onClick={() => setQuery({ from: null }, { isStep: true })}>
                      First page
                    </Button>
                  )}
                  {next !== null && (
                    <Button size="sm" onClick={() => setQuery({ from: String(next) }, { isStep: true })}>
                      Next page
                    </Button>
                  )}
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Where one is, each step a way back. */
function Way({ top, path }: { top: string; path: string }) {
  if (path === "") return null;
  const parts = path.split("/");
  const steps = [{ name: top, to: "" }, ...parts.map((name, at) => ({ name, to: parts.slice(0, at + 1).join("/") }))];
  return (
    <nav class="treeway" aria-label="Place in the backup">
      <ol>
        {steps.map(({ name, to }) => (
          <li key={to}>
            {to === path ? (
              <span aria-current="location">{name}</span>
            ) : (
              <button type="button" class="link" onClick={() => open(to)}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
