import { useEffect, useState } from "preact/hooks";
import type { FileFinds, FoundFile } from "../../../../src/node/backups/backups/browse-contract.ts";
import { bytesText, count, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { saveFrom } from "../../client/save-from.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { type FileRow, hrefOf } from "./file-table.tsx";
import { PutBackDialog } from "./put-back-dialog.tsx";

/** So many versions are shown before somebody asks for the rest. */
const SHOWN = 3;

/** Each file that has these words in its name, with its versions. */
export function SearchCard({ words }: { words: string }) {
  const finds = useResource("GET /api/backup/search", { query: { q: words } });
  const here = new Set((useResource("GET /api/apps").data.value ?? []).map(({ id }) => id));
  const [asked, ask] = useState<FileRow | null>(null);
  return (
    <Card title="Found">
      <Loaded of={finds} what="The search" skeleton={<Skeleton rows={5} />}>
        {(found) => (
          <>
            {found.files.length === 0 ? (
              <EmptyState title="Nothing of that name">Search for a part of the name of a file or folder.</EmptyState>
            ) : (
              <div class="rows">
                {found.files.map((file) => (
                  <Found
                    key={`${file.app}/${file.volume}/${file.path}/${file.kind}`}
                    file={file}
                    isHere={here.has(file.app)}
                    onPutBack={ask}
                  />
                ))}
              </div>
            )}
            {found.has_more && <p class="treeway t13 c3">There is more. Say more of the name to find it.</p>}
            <Unread found={found} onRead={() => void finds.refresh()} />
          </>
        )}
      </Loaded>
      {asked !== null && <PutBackDialog row={asked} onClose={() => ask(null)} />}
    </Card>
  );
}

function Found({
  file: { app, app_name, volume, versions, has_more, ...file },
  isHere,
  onPutBack,
}: {
  file: FoundFile;
  isHere: boolean;
  onPutBack: (row: FileRow) => void;
}) {
  const [isAll, showAll] = useState(false);
  const shown = isAll ? versions : versions.slice(0, SHOWN);
  const of = { app, app_name, volume, is_here: isHere };
  const open = (backup: string) =>
    navigate(
      `/backups/${backup}?${new URLSearchParams({ of: `${app}/${volume}`, path: file.kind === "folder" ? file.path : file.path.split("/").slice(0, -1).join("/") })}`,
    );
  return (
    <div class="item backuprow backupfound">
      <span class="body">
        <span class="title backuppath">{file.name}</span>
        <span class="sub">{`${app_name}, ${volume}: ${file.path}`}</span>
      </span>
      <ul class="backupversions">
        {shown.map(({ backup_id, backup_at, backups, size_bytes, changed_at, link }) => {
          const row = { backup: backup_id, volume: of, file: { ...file, size_bytes, changed_at, link } };
          const at = moment(backup_at);
          return (
            <li class="row" key={`${backup_id}${size_bytes}${changed_at}`}>
              <span class="t13 backupnote">
                {`${file.kind === "file" ? `${bytesText(size_bytes)}, changed` : "Changed"} ${moment(changed_at)}`}
                <span class="c3">{`, in ${backups === 1 ? "the backup" : `${backups} backups, the last`} of ${at}`}</span>
              </span>
              <span class="acts row">
                <IconButton
                  size="sm"
                  icon="folder"
                  label={`Open the folder of ${file.name} of ${at}`}
                  onClick={() => open(backup_id)}
                />
                {(file.kind === "file" || file.kind === "folder") && (
                  <IconButton
                    size="sm"
                    icon="download"
                    label={`Download ${file.name} of ${at}`}
                    onClick={() => void saveFrom(hrefOf(row))}
                  />
                )}
                {isHere && (
                  <IconButton
                    size="sm"
                    icon="sync"
                    label={`Put ${file.name} of ${at} back`}
                    onClick={() => onPutBack(row)}
                  />
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {versions.length > SHOWN && !isAll && (
        <Button size="sm" onClick={() => showAll(true)}>
          {`All ${versions.length} versions${has_more ? " that are known" : ""}`}
        </Button>
      )}
    </div>
  );
}

/** Backups that were not read yet are not searched; reading all of them takes a while. */
function Unread({ found: { unread, searched, reading }, onRead }: { found: FileFinds; onRead: () => void }) {
  const [begun, setBegun] = useState<string | null>(null);
  const opId = reading ?? begun;
  const work = useOperation(opId);
  useEffect(() => {
    if (opId !== null && work.status !== "running") {
      setBegun(null);
      onRead();
    }
  }, [work.status]);
  const act = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const read = () => act(async () => setBegun((await api("POST /api/backup/search/read")).op_id));
  const stop = () => act(async () => void toast((await api("POST /api/backup/search/stop")).message));
  if (unread.length === 0)
    return <p class="treeway t13 c3">{`All ${count(searched, "backup was", "backups were")} searched.`}</p>;
  const [step] = work.steps;
  return (
    <div class="backupopening">
      <p class="t13 c3">
        {`${count(searched, "backup was", "backups were")} searched. ${count(unread.length, "other was", "others were")} not read yet, so it is not known what stands in there.`}
      </p>
      {opId !== null && work.status === "running" ? (
        <>
          <Progress value={step?.percent ?? null} label="How many backups have been read" />
          <span>
            <Button size="sm" onClick={() => void stop()}>
              Stop reading
            </Button>
          </span>
        </>
      ) : (
        <span>
          <Button size="sm" onClick={() => void read()}>
            {unread.length === 1 ? "Read it" : "Read all of them"}
          </Button>
        </span>
      )}
      {work.status === "failed" && <p class="t13 c3">{work.error}</p>}
    </div>
  );
}
