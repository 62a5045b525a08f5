import type { BulkJob } from "../../../../src/panel/changes/bulk-jobs/contract.ts";
import { ago } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Chip } from "../../../kit/status.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { usePaged } from "../../../parts/paged.ts";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { jobLook, jobTitle } from "./words.ts";

const pageSize = 50;

/** Jobs of the workspace, the newest first. */
export function JobsScreen() {
  let loaded = 0;
  const { rows, hasMore, problem, more, retry } = usePaged<BulkJob>("jobs", async (last) => {
    if (last === null) loaded = 0;
    const { jobs } = await api("GET /api/fleet/bulk-jobs", { query: { limit: pageSize, offset: loaded } });
    loaded += jobs.length;
    return { rows: jobs, hasMore: jobs.length === pageSize };
  });
  return (
    <div class="page">
      <header class="head">
        <h1>Jobs</h1>
        <p class="t13 c3">One thing done to many nodes.</p>
      </header>
      {rows === null && problem !== null && <ProblemCard problem={problem} what="Jobs" retry={retry} />}
      {rows === null && problem === null && <Skeleton rows={4} />}
      {rows?.length === 0 && (
        <EmptyState
          title="No job yet"
          action={may("fleet:write") ? <LinkButton href="/fleet">Select nodes</LinkButton> : undefined}
        >
          {may("fleet:write")
            ? "Select ten nodes or more in the fleet and send"
            : "Managers select ten nodes or more in the fleet and send"}{" "}
          them a command: it becomes a job, which waits a day for those that are offline and stands here with what
          became of each.
        </EmptyState>
      )}
      {rows !== null && rows.length > 0 && (
        <Card>
          <ul class="rows">
            {rows.map((job) => (
              <Row key={job.id} job={job} />
            ))}
          </ul>
          {hasMore && (
            <p class="card-f center-row">
              <Button size="sm" onClick={more}>
                Older
              </Button>
            </p>
          )}
        </Card>
      )}
    </div>
  );
}

function Row({ job }: { job: BulkJob }) {
  const look = jobLook[job.status];
  const title = jobTitle(job);
  return (
    <li>
      <a class="item rolloutrow" href={`/jobs/${job.id}`}>
        <span class="body">
          <span class="title">{title}</span>
          <span class="t13 c3">
            {job.created_by_name ?? "A former member"}, {ago(job.created_at)}
          </span>
        </span>
        <span class="progress">
          <Meter value={job.progress} label={`Progress of ${title}`} tone={job.failed > 0 ? "warn" : "acc"} />
          <span class="t12 c3">
            {job.done.toLocaleString("en")} of {job.total.toLocaleString("en")}
            {job.failed > 0 && `, ${job.failed.toLocaleString("en")} failed`}
          </span>
        </span>
        <Chip state={look.state}>{look.word}</Chip>
      </a>
    </li>
  );
}
