import { useState } from "preact/hooks";
import type { BulkItem, BulkJob, BulkJobDetail } from "../../../../src/panel/changes/bulk-jobs/contract.ts";
import { ago, appointment, count } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Badge, Chip } from "../../../kit/status.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { Said } from "../commands/said.tsx";
import { type Failure, failuresOf, itemLook, jobLook, jobText, jobTitle, tally } from "./words.ts";

/** More rows than this are too much to read, and to draw. */
const rowsMax = 200;
const cellsMax = 2_000;
const namedMax = 6;

/** One job: how far it is, what failed and why, and every node of it. */
export function JobPage({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const detail = useResource("GET /api/fleet/bulk-jobs/{id}", { path: { id }, everyMs: 3_000 });
  const job = detail.data.value?.job ?? null;
  const [isAsking, ask] = useState(false);
  useCrumb(job === null ? null : jobText(job));
  return (
    <div class="page">
      <Loaded of={detail} what="This job" missing={<Gone />}>
        {({ job, items }) => (
          <>
            <Head job={job} onCancel={() => ask(true)} />
            <Card>
              <div class="jobprogress">
                <Meter value={job.progress} label="Nodes that are over" tone={job.failed > 0 ? "warn" : "acc"} />
                <p class="t13 c2" role="status">
                  {progressText(job)}
                </p>
              </div>
            </Card>
            <Failures failures={failuresOf(items)} />
            <Nodes items={items} />
            {isAsking && <CancelDialog job={job} onDone={detail.refresh} onClose={() => ask(false)} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

const Gone = () => (
  <EmptyState title="This job is gone" action={<LinkButton href="/jobs">See all jobs</LinkButton>}>
    Jobs are kept for 30 days after they are over.
  </EmptyState>
);

function progressText({ done, total, failed, cancelled, running }: BulkJob): string {
  const parts = [`${done.toLocaleString("en")} of ${total.toLocaleString("en")} are over`];
  if (failed > 0) parts.push(`${failed.toLocaleString("en")} failed`);
  if (cancelled > 0) parts.push(`${cancelled.toLocaleString("en")} taken back`);
  if (running > 0) parts.push(`${running.toLocaleString("en")} under way`);
  return `${parts.join(", ")}.`;
}

function Head({ job, onCancel }: { job: BulkJob; onCancel: () => void }) {
  const look = jobLook[job.status];
  return (
    <header class="head rollhead">
      <div class="col">
        <div class="row wrap">
          <h1>{jobTitle(job)}</h1>
          <Chip state={look.state}>{look.word}</Chip>
        </div>
        <p class="t13 c3">
          Begun {ago(job.created_at)} by {job.created_by_name ?? "a former member"}.
          {job.finished_at === null && ` Nodes that are offline get it until ${appointment(job.ends_at)}.`}
        </p>
      </div>
      {may("fleet:write") && job.status === "running" && (
        <div class="btns">
          <Button kind="danger" icon="stop" onClick={onCancel}>
            Cancel the rest
          </Button>
        </div>
      )}
    </header>
  );
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return null;
  const all = failures.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <Card
      title={
        <span class="row">
          Failed <Badge tone="crit">{all.toLocaleString("en")}</Badge>
        </span>
      }
    >
      <ul class="rows sep jobfailures">
        {failures.map(({ error, items }) => {
          const talker = items.find((item) => item.output);
          return (
            <li key={error} class="item">
              <span class="body">
                <span class="title">{error}</span>
                <span class="sub">
                  {items.slice(0, namedMax).map((item, index) => (
                    <span key={item.instance_id}>
                      {index > 0 && ", "}
                      <a class="link" href={`/nodes/${encodeURIComponent(item.instance_id)}`}>
                        {item.hostname}
                      </a>
                    </span>
                  ))}
                  {items.length > namedMax && ` and ${(items.length - namedMax).toLocaleString("en")} more`}
                </span>
                {talker !== undefined && <Output item={talker} />}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** What the node of an item said. Whoever may send commands may read all of a long output. */
function Output({ item: { command_id, hostname, output, output_truncated } }: { item: BulkItem }) {
  const [isWhole, showWhole] = useState(false);
  const id = output_truncated && may("fleet:write") ? command_id : null;
  return (
    <>
      <Said id={id ?? ""} told={{ error: null, output }} isCut={isWhole && id !== null} look="code joboutput" />
      {id !== null && (
        <span>
          <Button size="sm" aria-expanded={isWhole} onClick={() => showWhole(!isWhole)}>
            {isWhole ? "The beginning alone" : "All that it said"}
            <span class="sr">: {hostname}</span>
          </Button>
        </span>
      )}
    </>
  );
}

const columns: Column<BulkItem>[] = [
  {
    id: "node",
    title: "Node",
    cell: (item) => (
      <a class="cut" href={`/nodes/${encodeURIComponent(item.instance_id)}`}>
        {item.hostname}
      </a>
    ),
  },
  { id: "state", title: "State", cell: (item) => itemLook(item).word },
  {
    id: "said",
    title: "What it said",
    cell: ({ error, output }) => (error ?? output) && <span class="t12 c3 detail">{error ?? output}</span>,
  },
];

function Nodes({ items }: Pick<BulkJobDetail, "items">) {
  const [view, setView] = useState<"cells" | "table">("cells");
  const counted = tally(items);
  const words = counted.map(({ word, number }) => `${number.toLocaleString("en")} ${word}`);
  return (
    <Card
      title={`All ${count(items.length, "node")}`}
      actions={
        <Segmented
          label="Show nodes as"
          size="sm"
          value={view}
          options={[
            { value: "cells", label: "Cells" },
            { value: "table", label: "Table" },
          ]}
          onValue={setView}
        />
      }
    >
      {view === "cells" ? (
        <div class="nodecells" role="img" aria-label={words.join(", ")}>
          {items.slice(0, cellsMax).map((item) => (
            <i key={item.instance_id} class={itemLook(item).cell} title={`${item.hostname}: ${itemLook(item).word}`} />
          ))}
        </div>
      ) : (
        <DataTable
          label="Nodes"
          rows={items.slice(0, rowsMax)}
          keyOf={(item) => item.instance_id}
          columns={columns}
          compact
          folds
        />
      )}
      <p class="keyrow">
        {counted.map(({ word, cell }, index) => (
          <span key={word}>
            <i class={`key ${cell}`} aria-hidden="true" />
            {words[index]}
          </span>
        ))}
        {view === "table" && items.length > rowsMax && <span>The first {rowsMax} are shown.</span>}
      </p>
    </Card>
  );
}

function CancelDialog({ job, onDone, onClose }: { job: BulkJob; onDone: () => Promise<void>; onClose: () => void }) {
  const attempt = useAttempt();
  const submit = async (): Promise<void> => {
    const isDone = await attempt.send(async () => {
      await api("POST /api/fleet/bulk-jobs/{id}/cancel", { path: { id: job.id } });
      await onDone();
    });
    if (isDone) onClose();
  };
  return (
    <FormDialog
      title="Cancel the rest?"
      action="Cancel the rest"
      danger
      ready
      attempt={attempt}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>
        Nodes that have not got it yet never do. What {count(job.running, "node has", "nodes have")} begun may go on to
        its end, and is counted here.
      </p>
    </FormDialog>
  );
}
