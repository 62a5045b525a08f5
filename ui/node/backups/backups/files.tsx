import { useEffect, useState } from "preact/hooks";
import type { BackupVolume } from "../../../../src/node/backups/backups/browse-contract.ts";
import type { Backup } from "../../../../src/node/backups/backups/contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Banner } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Tabs } from "../../../kit/tabs.tsx";
import { Loaded, ProblemCard } from "../../../parts/loaded.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { Changes } from "./changes.tsx";
import { FilesPage, NothingHere, Waiting } from "./files-page.tsx";
import { FolderCard } from "./folder-card.tsx";
import { Reading } from "./reading.tsx";
import { SearchCard } from "./search-card.tsx";

/** What stands in one backup: its folders, what is other than before, and the way back for a file. */
export function BackupFiles({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const backups = useResource("GET /api/backups");
  return (
    <FilesPage title="Files of a backup">
      <Loaded of={backups} what="Backups" skeleton={<Waiting />}>
        {(list) => {
          const backup = list.find((one) => one.id === id);
          return backup === undefined ? (
            <NothingHere title="This backup is not here any more">
              It was removed because it was too old, or its target is no target any more.
            </NothingHere>
          ) : (
            <Opening key={id} backup={backup} backups={list} />
          );
        }}
      </Loaded>
    </FilesPage>
  );
}

/** Has the server read the backup once, and shows how far that is. */
function Opening({ backup, backups }: { backup: Backup; backups: readonly Backup[] }) {
  const [begun, setBegun] = useState<{ op_id: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    setProblem(null);
    api("POST /api/backups/{id}/browse", { path: { id: backup.id } }).then(setBegun, (error) =>
      setProblem(asProblem(error)),
    );
  }, [backup.id, tries]);
  const work = useOperation(begun?.op_id ?? null);
  if (problem !== null)
    return <ProblemCard problem={problem} what="This backup" retry={() => setTries((count) => count + 1)} />;
  if (begun === null) return <Waiting />;
  if (begun.op_id === null || work.status === "done") return <Opened backup={backup} backups={backups} />;
  if (work.status === "failed")
    return <Banner state="crit">{work.error ?? "What stands in this backup could not be read."}</Banner>;
  return <Reading work={work}>The first look reads all of it; after that it opens at once.</Reading>;
}

/** The same place on another tab. */
function tabHref(id: string, tab: string | null): string {
  const next = new URLSearchParams(query.value);
  if (tab === null) next.delete("tab");
  else next.set("tab", tab);
  return `/backups/${id}?${next}`;
}

const keyOf = ({ app, volume }: Pick<BackupVolume, "app" | "volume">): string => `${app}/${volume}`;

function Opened({ backup, backups }: { backup: Backup; backups: readonly Backup[] }) {
  const volumes = useResource("GET /api/backups/{id}/volumes", { path: { id: backup.id } });
  const words = query.value.get("q") ?? "";
  return (
    <div class="stack">
      <p class="t13 c3">{`Made ${moment(backup.started_at)}${backup.made_by === null ? "" : ` on ${backup.made_by}`}.`}</p>
      <QuerySearch label="Search names in all backups" value={words} />
      {words !== "" ? (
        <SearchCard words={words} />
      ) : (
        <Loaded of={volumes} what="This backup" skeleton={<Waiting />}>
          {(list) => <Volumes backup={backup} backups={backups} volumes={list} />}
        </Loaded>
      )}
    </div>
  );
}

function Volumes({
  backup,
  backups,
  volumes,
}: {
  backup: Backup;
  backups: readonly Backup[];
  volumes: readonly BackupVolume[];
}) {
  const wanted = query.value.get("of");
  const volume = volumes.find((one) => keyOf(one) === wanted) ?? volumes[0];
  if (volume === undefined)
    return (
      <NothingHere title="No files of apps in here">
        This backup has settings alone, or apps that keep no data. Put settings back with the recovery kit.
      </NothingHere>
    );
  const tab = query.value.get("tab") === "changes" ? "changes" : "files";
  return (
    <>
      {volumes.length > 1 && (
        <Select
          label="App and volume"
          value={keyOf(volume)}
          options={volumes.map((one) => ({
            value: keyOf(one),
            label: `${one.app_name}, ${one.volume} (${bytesText(one.size_bytes)})`,
          }))}
          onValue={(value) => setQuery({ of: value, path: null, from: null, against: null })}
        />
      )}
      <Tabs
        label="Parts of this page"
        tabs={[
          { id: "files", label: "Files", href: tabHref(backup.id, null) },
          { id: "changes", label: "Changes", href: tabHref(backup.id, "changes") },
        ]}
        current={tab}
      />
      {tab === "files" ? (
        <FolderCard backup={backup} volume={volume} />
      ) : (
        <Changes backup={backup} backups={backups} volume={volume} />
      )}
    </>
  );
}
