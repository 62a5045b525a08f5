import { useState } from "preact/hooks";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { duration } from "../../../client/format.ts";
import { query } from "../../../client/router.ts";
import { Button, IconButton, LinkButton } from "../../../kit/button.tsx";
import { Banner, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Tabs } from "../../../kit/tabs.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import type { OperationStep } from "../../platform/operations/operation-events.ts";
import { OperationLog, OperationSteps } from "../../platform/operations/operation-steps.tsx";
import { LazyFiles } from "../app-files/lazy-tab.ts";
import { CancelPull } from "../containers/cancel-pull.tsx";
import { AppTile } from "../templates/app-tile.tsx";
import { AppTerminal } from "../terminals/app-terminal.tsx";
import { AccessTab } from "./access-tab.tsx";
import { actOnApp } from "./app-actions.ts";
import { appState, isBusy, isUp, reachOf, wantsMemory, wantsVersion } from "./app-state.ts";
import { ConfigTab } from "./config-tab.tsx";
import { OpenPaths } from "./confirm-paths.tsx";
import { LogsTab } from "./logs-tab.tsx";
import { MetricsTab } from "./metrics-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { StorageTab } from "./storage-tab.tsx";
import { UninstallDialog } from "./uninstall-dialog.tsx";
import { UpdateNotice } from "./update-notice.tsx";

/** One app: what it does now, its log, its settings, its data, and the way out. */
export function AppPage({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const app = useResource("GET /api/apps/{id}", { path: { id } });
  useCrumb(app.data.value?.display_name ?? null);
  if (app.problem.value?.status === 404) {
    return (
      <EmptyState page title="This app is not here any more" action={<LinkButton href="/apps">All apps</LinkButton>}>
        It was uninstalled, or the address is wrong.
      </EmptyState>
    );
  }
  return (
    <div class="page">
      <Loaded of={app} what="This app" skeleton={<Skeleton rows={4} tile height={400} />}>
        {(detail) => <Body app={detail} />}
      </Loaded>
    </div>
  );
}

function Body({ app }: { app: AppDetail }) {
  const [leaving, leave] = useState(false);
  const wanted = query.value.get("tab") ?? "overview";
  const tabs = [
    "overview",
    "metrics",
    ...(isAdmin() ? ["logs", "terminal", "files"] : []),
    "access",
    "settings",
    "storage",
  ];
  const current = tabs.includes(wanted) ? wanted : "overview";
  const names: Record<string, string> = {
    overview: "Overview",
    metrics: "Metrics",
    logs: "Logs",
    terminal: "Terminal",
    files: "Files",
    access: "Access",
    settings: "Settings",
    storage: "Storage",
  };
  return (
    <div class="stack">
      <Head app={app} onUninstall={() => leave(true)} />
      {app.status === "error" && <Trouble app={app} />}
      {app.status === "degraded" && (
        <Banner state="warn">
          {app.cause ?? "A part of this app does not answer."} {app.next_step}
        </Banner>
      )}
      {isAdmin() && <OpenPaths app={app} />}
      {isAdmin() && app.installed_at !== null && <UpdateNotice app={app} />}
      {isAdmin() && <Work app={app} />}
      <Tabs
        label={app.display_name}
        current={current}
        tabs={tabs.map((id) => ({
          id,
          label: names[id] ?? id,
          href: id === "overview" ? `/apps/${app.id}` : `/apps/${app.id}?tab=${id}`,
        }))}
      />
      {current === "overview" && <OverviewTab app={app} />}
      {current === "metrics" && <MetricsTab app={app} />}
      {current === "access" && <AccessTab app={app} />}
      {current === "logs" && <LogsTab app={app} />}
      {current === "terminal" && <AppTerminal app={app} />}
      {current === "files" && <LazyFiles app={app} />}
      {current === "settings" && <ConfigTab app={app} />}
      {current === "storage" && <StorageTab app={app} onUninstall={() => leave(true)} />}
      {leaving && <UninstallDialog app={app} onClose={() => leave(false)} />}
    </div>
  );
}

const shownUrl = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

function Head({ app, onUninstall }: { app: AppDetail; onUninstall: () => void }) {
  const { state, word } = appState(app);
  const reach = reachOf(app);
  const runs = isUp(app);
  const up =
    app.started_at === null || app.status !== "running"
      ? null
      : duration((Date.now() - Date.parse(app.started_at)) / 1000);
  return (
    <header class="apphead">
      <AppTile app={app} size="lg" />
      <div class="col">
        <div class="row name">
          <h1 class="cut">{app.display_name}</h1>
          <Chip state={state}>{word}</Chip>
        </div>
        <p class="facts">
          {reach.kind === "open" &&
            (runs ? (
              <a class="link" href={reach.url} target="_blank" rel="noopener">
                {shownUrl(reach.url)}
              </a>
            ) : (
              <span>{shownUrl(reach.url)}</span>
            ))}
          {reach.kind === "server-only" && (
            <a class="link" href={`/apps/${app.id}?tab=access`}>
              Opens only on the server itself, port {app.port}
            </a>
          )}
          <span>Version {app.version}</span>
          {up !== null && <span class="no-sm">Up {up}</span>}
        </p>
      </div>
      <div class="btns">
        {app.status === "running" && reach.kind === "open" && (
          <LinkButton href={reach.url} kind="primary" icon="external" external>
            Open
          </LinkButton>
        )}
        {isAdmin() && <Actions app={app} onUninstall={onUninstall} />}
      </div>
    </header>
  );
}

function Actions({ app, onUninstall }: { app: AppDetail; onUninstall: () => void }) {
  const busy = isBusy(app);
  const runs = isUp(app);
  return (
    <>
      {runs && (
        <Button icon="restart" disabled={busy} onClick={() => void actOnApp(app, "restart")}>
          Restart
        </Button>
      )}
      {runs && (
        <Button icon="stop" class="no-sm" disabled={busy} onClick={() => void actOnApp(app, "stop")}>
          Stop
        </Button>
      )}
      {app.status === "stopped" && (
        <Button kind="primary" icon="play" onClick={() => void actOnApp(app, "start")}>
          Start
        </Button>
      )}
      <Menu
        label={`More for ${app.display_name}`}
        trigger={(props) => <IconButton {...props} kind="default" icon="more" label="More actions" />}
        items={[
          ...(runs ? [{ label: "Stop", icon: "stop" as const, run: () => void actOnApp(app, "stop") }] : []),
          { label: "See the log", icon: "logs", href: `/apps/${app.id}?tab=logs` },
          { label: "In the store", icon: "store", href: `/store?app=${app.template}` },
          {
            label: "Uninstall…",
            icon: "trash",
            danger: true,
            disabled: app.status === "uninstalling",
            run: onUninstall,
          },
        ]}
      />
    </>
  );
}

function Trouble({ app }: { app: AppDetail }) {
  const never = app.installed_at === null;
  return (
    <Banner
      state="crit"
      action={
        isAdmin() && (
          <span class="row">
            {wantsMemory(app) && query.value.get("tab") !== "settings" && (
              <a class="btn sm ghost" href={`/apps/${app.id}?tab=settings`}>
                Change limits
              </a>
            )}
            {wantsVersion(app) && (
              <a class="btn sm ghost" href={`/store?app=${app.template}`}>
                See the store
              </a>
            )}
            <Button size="sm" onClick={() => void actOnApp(app, never ? "retry" : "start")}>
              {never ? "Install again" : "Start"}
            </Button>
          </span>
        )
      }
    >
      <b class="w6">{app.cause ?? "It stopped without saying why."}</b>{" "}
      {isAdmin() ? app.next_step : "Ask an admin of this server."}
    </Banner>
  );
}

const WAY_BACK: Record<string, string> = {
  back_switch: "Name the version before and its data again",
  back_run: "Start the version before",
  back_health: "Wait until it works",
  back_end: "Remove what the update made",
};

/** The steps of the way back are in no plan, as nobody hopes for them. */
const named = (step: OperationStep): OperationStep => ({ ...step, title: WAY_BACK[step.id] ?? step.title });

/** The work on this app, which admins follow: the one that runs, or the install that failed before the app ever started. */
function Work({ app }: { app: AppDetail }) {
  const operations = useResource("GET /api/operations").data.value ?? [];
  const failed = operations.find((item) => item.subject_id === app.id && item.status === "failed");
  const neverRan = app.status === "error" && app.installed_at === null;
  const id = app.op_id ?? (neverRan ? (failed?.id ?? null) : null);
  const view = useOperation(id);
  if (id === null) return null;
  return (
    <section class="card" aria-label="Progress">
      <div class="card-b pad-top stack">
        <OperationSteps view={{ ...view, steps: view.steps.map(named) }} />
        <CancelPull view={view} />
        <OperationLog view={view} />
      </div>
    </section>
  );
}
