import type { ComponentChildren } from "preact";
import type { BackupVolume } from "../../../../src/node/backups/backups/browse-contract.ts";
import type { Backup } from "../../../../src/node/backups/backups/contract.ts";
import { count } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { FileTable } from "./file-table.tsx";

/** Goes to a folder of what is shown. */
export const openFolder = (path: string): void => setQuery({ path, from: null }, { isStep: true });

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
        {(page) => (
          <FolderPage path={path} from={from} page={page}>
            <FileTable
              label={`Files in ${path === "" ? volume.volume : path}`}
              rows={page.files.map((file) => ({ backup: backup.id, volume, file }))}
              onOpen={({ file }) => openFolder(file.path)}
            />
          </FolderPage>
        )}
      </Loaded>
    </Card>
  );
}

/** What is in a folder, or that it is empty, and the way to the next page. */
export function FolderPage({
  path,
  from,
  page: { files, total, next },
  children,
}: {
  path: string;
  from: number;
  page: { files: readonly unknown[]; total: number; next: number | null };
  children: ComponentChildren;
}) {
  if (files.length === 0)
    return (
      <EmptyState
        title="Nothing in here"
        action={path !== "" && <Button onClick={() => openFolder("")}>To the top</Button>}
      >
        This folder was empty when the backup was made.
      </EmptyState>
    );
  return (
    <>
      {children}
      <Pages from={from} shown={files.length} total={total} next={next} />
    </>
  );
}

/** The way to the next page of a list whose place stands in the address; nothing where all is on one. */
export function Pages({
  from,
  shown,
  total,
  next,
}: {
  from: number;
  shown: number;
  total: number;
  next: number | null;
}) {
  if (from === 0 && next === null) return null;
  return (
    <p class="treeway row">
      <span class="t13 c3">{`${from + 1} to ${from + shown} of ${total}`}</span>
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
  );
}

/** Where one is, each step a way back. */
export function Way({ top, path }: { top: string; path: string }) {
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
              <button type="button" class="link" onClick={() => openFolder(to)}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
