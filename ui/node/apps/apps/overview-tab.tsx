import { type ReadonlySignal, signal, useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { AppStats } from "../../../../src/node/apps/app-stats/contract.ts";
import type { AppDetail, AppService } from "../../../../src/node/apps/apps/contract.ts";
import { ago, clock, day, megabytes, moment, percent } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Chart } from "../../../kit/chart.tsx";
import { axisMax } from "../../../kit/draw.ts";
import { Badge, Glyph, type State } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { api } from "../../client/api.ts";
import { FirstRunNotes } from "./first-run.tsx";

const everyMs = 2000;
const length = 150;

interface Point {
  at: number;
  stats: AppStats;
}

/** Live load, facts, first steps and containers. */
export function OverviewTab({ app }: { app: AppDetail }) {
  const points = useStats(app.id, app.status === "running" || app.status === "degraded");
  // An install that failed left nothing behind to measure.
  if (app.services.length === 0) {
    return (
      <div class="grid12 overview">
        <About app={app} />
      </div>
    );
  }
  return (
    <div class="grid12 overview">
      <LoadChart
        title="Processor"
        points={points}
        colour="--c1"
        read={(stats) => stats.cpu_percent}
        max={(largest, before) => axisMax(largest, before, 10)}
        show={percent}
        unit="of one core"
      />
      <LoadChart
        title="Memory"
        points={points}
        colour="--c3"
        read={(stats) => stats.memory_usage_mb}
        max={(largest, before, last) => {
          const limit = last?.memory_limit_mb ?? 0;
          return limit > 0 && limit < largest * 20 ? limit : axisMax(largest, before, 16);
        }}
        show={megabytes}
        unit=""
      />
      <About app={app} />
      <Containers app={app} points={points} />
      {app.first_run !== null && (
        <section class="card w-side" aria-label="First visit">
          <div class="card-b pad-top">
            <FirstRunNotes app={app} />
          </div>
        </section>
      )}
    </div>
  );
}

/** Samples of this app, one every two seconds while the page is seen. */
function useStats(id: string, runs: boolean): ReadonlySignal<Point[]> {
  const [points] = useState(() => signal<Point[]>([]));
  useEffect(() => {
    if (!runs) return;
    let stopped = false;
    const take = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      const stats = await api("GET /api/apps/{id}/stats", { path: { id } }).catch(() => null);
      if (stats !== null && !stopped) points.value = [...points.peek(), { at: Date.now(), stats }].slice(-length);
    };
    void take();
    const timer = setInterval(() => void take(), everyMs);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, [id, runs, points]);
  return points;
}

interface LoadChartProps {
  title: string;
  points: ReadonlySignal<Point[]>;
  colour: string;
  /** Null: nobody counted it. */
  read: (stats: AppStats) => number | null;
  max: (largest: number, before: number, last: AppStats | null) => number;
  show: (value: number) => string;
  unit: string;
}

function LoadChart({ title, points, colour, read, max, show, unit }: LoadChartProps) {
  const plot = useComputed(() => {
    const values = points.value.map((point) => read(point.stats));
    const last = points.value.at(-1)?.stats ?? null;
    return {
      series: [{ values, colour, fill: true }],
      max: max(Math.max(0, ...values.map((value) => value ?? 0)), 0, last),
      length,
      rules: [0, 0.5, 1],
    };
  });
  const now = useComputed(() => {
    const last = points.value.at(-1);
    const value = last === undefined ? null : read(last.stats);
    return value === null ? "–" : show(value);
  });
  const limit = useComputed(() => {
    const most = points.value.at(-1)?.stats.memory_limit_mb ?? 0;
    return title === "Memory" && most > 0 ? `limit ${megabytes(most)}` : unit;
  });
  const ys = useComputed(() => [show(plot.value.max), show(plot.value.max / 2), "0"]);
  const xs = useComputed(() => {
    const end = points.value.at(-1)?.at ?? Date.now();
    const span = everyMs * length;
    return [end - span, end - span / 2, end].map(clock);
  });
  return (
    <section class="card chartcard w-chart" aria-label={title}>
      <header class="charthead">
        <h2>{title}</h2>
        <p class="stat">
          <b>{now}</b>
          <span class="u">{limit}</span>
        </p>
      </header>
      <Chart plot={plot} ys={ys} xs={xs} label={`${title}, last five minutes`} />
    </section>
  );
}

function About({ app }: { app: AppDetail }) {
  const binds: Record<string, string> = { "127.0.0.1": "this server only", "::1": "this server only" };
  return (
    <Card title="About" class="w-side">
      <div class="card-b">
        <dl class="dl">
          <dt>Name</dt>
          <dd>{app.name}</dd>
          <dt>Installed</dt>
          <dd data-tip={moment(app.created_at)}>{day(app.created_at)}</dd>
          {app.started_at !== null && (
            <>
              <dt>Started</dt>
              <dd data-tip={moment(app.started_at)}>{ago(app.started_at)}</dd>
            </>
          )}
          {app.ports.map((port) => (
            <PortRow
              key={`${port.service}:${port.container}`}
              title={app.ports.length === 1 ? "Port" : `Port, ${port.purpose || port.service}`}
              value={`${port.host}, ${binds[port.bind] ?? "your network"}`}
            />
          ))}
          <dt>Version</dt>
          <dd>{app.version}</dd>
          <dt>Restarts</dt>
          <dd>{app.services.reduce((sum, service) => sum + service.restarts, 0)}</dd>
        </dl>
      </div>
    </Card>
  );
}

function PortRow({ title, value }: { title: string; value: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Containers({ app, points }: { app: AppDetail; points: ReadonlySignal<Point[]> }) {
  const latest = points.value.at(-1)?.stats.services ?? [];
  const of = (name: string) => latest.find((item) => item.name === name);
  return (
    <Card
      class="w-main"
      title={
        <>
          Containers <Badge>{app.services.length}</Badge>
        </>
      }
    >
      <DataTable
        label="Containers"
        rows={app.services}
        keyOf={(service) => service.name}
        columns={[
          {
            id: "name",
            title: "Name",
            cell: (service) => (
              <span class="row">
                <Glyph state={serviceState(service)} />
                <span class="host">{service.name}</span>
              </span>
            ),
          },
          { id: "state", title: "State", cell: serviceWord },
          {
            id: "image",
            title: "Image",
            wide: true,
            cell: (service) => <span class="mono cut imagecell">{service.image}</span>,
          },
          {
            id: "cpu",
            title: "Processor",
            number: true,
            cell: (service) => shown(of(service.name)?.cpu_percent, percent),
          },
          {
            id: "memory",
            title: "Memory",
            number: true,
            cell: (service) => shown(of(service.name)?.memory_usage_mb, megabytes),
          },
          { id: "restarts", title: "Restarts", number: true, wide: true, cell: (service) => service.restarts },
        ]}
      />
    </Card>
  );
}

/** A figure, or a dash where there is none. */
const shown = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? "–" : show(value);

function serviceState(service: AppService): State {
  if (service.state === "running")
    return service.health === "unhealthy" ? "warn" : service.health === "starting" ? "busy" : "ok";
  if (service.oom_killed || (service.exit_code !== null && service.exit_code !== 0)) return "crit";
  return "off";
}

function serviceWord(service: AppService): string {
  if (service.oom_killed) return "Out of memory";
  if (service.state === "running")
    return service.health === null || service.health === "healthy" ? "Running" : `Running, ${service.health}`;
  if (service.exit_code !== null && service.exit_code !== 0) return `Exited, code ${service.exit_code}`;
  return service.state.charAt(0).toUpperCase() + service.state.slice(1);
}
