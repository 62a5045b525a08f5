import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { bytesText, percent } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import type { TimeSeries } from "../../../kit/time-axis.ts";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { type AppHistory, fromFirst, hasValues, historyRanges, lineOf, useAppHistory } from "./app-history.ts";

const memory = (bytes: number): string => bytesText(bytes, "memory");
const speed = (bytes: number): string => `${bytesText(bytes)}/s`;
const MIB = 1_048_576;

/** What is on record of an app, with what happened to it in that time. */
export function MetricsTab({ app }: { app: AppDetail }) {
  const range = historyRanges.find(({ value }) => value === query.value.get("range"))?.value ?? "24h";
  const { resource, history } = useAppHistory(app.id, range);
  const events = useResource("GET /api/timeline", { query: { subject: `app:${app.id}`, limit: 50 } }).data.value;
  const problem = resource.problem.value;
  return (
    <div class="stack">
      <div class="rangebar">
        <Segmented
          label="Range"
          value={range}
          options={[...historyRanges]}
          onValue={(value) => setQuery({ range: value === "24h" ? null : value })}
        />
      </div>
      {history === null && problem !== null && (
        <ProblemCard problem={problem} what="The history" retry={() => void resource.refresh()} />
      )}
      {history === null && problem === null && <Skeleton rows={6} height={500} />}
      {history !== null && <Charts history={fromFirst(history)} markers={markersOf(history, events?.items ?? [])} />}
    </div>
  );
}

function markersOf(history: AppHistory, events: { timestamp: string; title: string }[]) {
  const [first = 0] = history.times;
  return events
    .map(({ timestamp, title }) => ({ t: Date.parse(timestamp), label: title }))
    .filter(({ t }) => t >= first)
    .toSorted((a, b) => a.t - b.t);
}

function Charts({ history, markers }: { history: AppHistory; markers: { t: number; label: string }[] }) {
  if (!hasValues(history.cpu))
    return (
      <div class="card">
        <EmptyState title="Nothing measured in this time">
          An app is measured while it runs; the first point comes within two minutes of its start.
        </EmptyState>
      </div>
    );
  const traffic = [
    lineOf("Received", history.received, "--c2"),
    { ...lineOf("Sent", history.sent, "--c4"), dash: true },
  ].filter(({ values }) => hasValues(values));
  const shared = { times: history.times, markers };
  return (
    <>
      <Lane
        title="Processor"
        note="100 % is one core"
        {...shared}
        series={[lineOf("Processor", history.cpu, "--c1")]}
        format={percent}
        least={10}
      />
      <Lane
        title="Memory"
        note="without the file cache"
        {...shared}
        series={[lineOf("Memory", history.memory, "--c3")]}
        format={memory}
        binary
        least={16 * MIB}
      />
      {traffic.length > 0 && (
        <Lane title="Network" note="all containers together" {...shared} series={traffic} format={speed} least={1024} />
      )}
    </>
  );
}

function Lane({
  title,
  note,
  ...chart
}: {
  title: string;
  note: string;
  times: number[];
  markers: { t: number; label: string }[];
  series: TimeSeries[];
  format: (value: number) => string;
  least: number;
  binary?: boolean;
}) {
  return (
    <Card title={title} aside={note}>
      <div class="card-b">
        <TimeChart label={title} sync="app" {...chart} />
      </div>
    </Card>
  );
}
