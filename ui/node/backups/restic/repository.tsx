import { useEffect, useState } from "preact/hooks";
import type { ResticRepository } from "../../../../src/node/backups/restic/contract.ts";
import { ago } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { query } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Loaded, ProblemCard } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { FilesPage, NothingHere, Waiting } from "../backups/files-page.tsx";
import { Reading } from "../backups/reading.tsx";
import { SnapshotFiles } from "./snapshot-files.tsx";
import { SnapshotsCard } from "./snapshots-card.tsx";

/** A repository of restic: its snapshots, and the files in one of them. */
export function Repository({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const repositories = useResource("GET /api/backup/restic");
  const known = repositories.data.value?.find((one) => one.id === id);
  return (
    <FilesPage title={known?.name ?? "A restic repository"}>
      <Loaded of={repositories} what="restic repositories" skeleton={<Waiting />}>
        {(list) => {
          const repository = list.find((one) => one.id === id);
          return repository === undefined ? (
            <NothingHere title="This repository is not attached">
              Somebody detached it. It can be attached again with its password.
            </NothingHere>
          ) : (
            <Opening key={id} repository={repository} onRead={() => repositories.refresh()} />
          );
        }}
      </Loaded>
    </FilesPage>
  );
}

/** Has the server read it, at first by itself and then when it is asked for, and shows how far that is. */
function Opening({ repository, onRead }: { repository: ResticRepository; onRead: () => Promise<unknown> }) {
  const { id, read_at } = repository;
  const [opId, setOpId] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const work = useOperation(opId);
  const read = (): void => {
    setProblem(null);
    setOpId(null);
    api("POST /api/backup/restic/{id}/read", { path: { id } }).then(
      ({ op_id }) => setOpId(op_id),
      (error) => setProblem(asProblem(error)),
    );
  };
  useEffect(() => {
    if (read_at === null) read();
  }, [id]);
  useEffect(() => {
    if (work.status === "done") void onRead().then(() => setOpId(null));
  }, [work.status]);
  if (problem !== null) return <ProblemCard problem={problem} what="This repository" retry={read} />;
  const again = (
    <Button size="sm" icon="sync" onClick={read}>
      Read again
    </Button>
  );
  if (opId !== null && work.status === "failed")
    return (
      <Banner state="crit" action={again}>
        {work.error ?? "It could not be read."}
      </Banner>
    );
  if (opId !== null || read_at === null)
    return <Reading work={work}>Its snapshots and its index are read; later only what is new.</Reading>;
  const snapshot = query.value.get("snapshot");
  return (
    <div class="stack">
      <p class="row t13 c3">
        <span>{`Read ${ago(read_at)}. What restic wrote since is not shown.`}</span>
        {again}
      </p>
      {snapshot === null ? (
        <SnapshotsCard repository={repository} onRead={read} />
      ) : (
        <SnapshotFiles repository={repository} snapshot={snapshot} />
      )}
    </div>
  );
}
