import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { AppStats } from "../../../../src/node/apps/app-stats/contract.ts";
import type { AppDetail, AppService } from "../../../../src/node/apps/apps/contract.ts";
import { ago, day, megabytes, moment, percent } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Badge, Glyph, type State } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { api } from "../../client/api.ts";
import { isAdmin } from "../../client/session.ts";
import { isUp } from "./app-state.ts";
import { Crashes } from "./crashes.tsx";
import { FirstVisitCard } from "./first-run.tsx";
import { History } from "./history.tsx";
import { LastLines } from "./last-lines.tsx";
import { WhatChanged } from "./what-changed.tsx";

const everyMs = 2000;
/** Only the newest counts; the past is the server's to keep. */
const length = 2;

export interface Point {
  at: number;
  stats: AppStats;
}

const newForMs = 86_400_000;

/** Load, containers, what happened to it and its last words; beside them its facts. A new app begins with what its first visit needs. */
export function OverviewTab({ app }: { app: AppDetail }) {
  const points = useStats(app.id, isUp(app));
  // An install that failed left nothing behind to measure.
  if (app.services.length === 0)
    return (
      <div class="columns">
        <About app={app} />
      </div>
    );
  const isNew = Date.now() - Date.parse(app.created_at) < newForMs;
  return (
    <div class="stack">
      {isNew && <FirstVisitCard app={app} />}
      <div class="columns">
        <div>
          <History app={app} points={points} />
          <Containers app={app} points={points} />
          {isAdmin() && <Crashes app={app} />}
          {isAdmin() && <LastLines app={app} />}
        </div>
        <div>
          {!isNew && <FirstVisitCard app={app} />}
          <About app={app} />
          <WhatChanged app={app} />
        </div>
      </div>
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

function About({ app }: { app: AppDetail }) {
  const binds: Record<string, string> = { "127.0.0.1": "this server only", "::1": "this server only" };
  return (
    <Card title="About">
      <div class="card-b">
        <dl class="dl">
          <dt>Name</dt>
          <dd>{app.name}</dd>
          <dt>Installed</dt>
          {app.installed_at === null ? (
            <dd>Not yet</dd>
          ) : (
            <dd data-tip={moment(app.installed_at)}>{day(app.installed_at)}</dd>
          )}
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
