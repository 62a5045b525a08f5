import { useEffect, useState } from "preact/hooks";
import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { locale } from "../../../kit/locale.ts";
import { Orrery } from "../../../kit/orrery.tsx";
import { reachOf } from "../../apps/apps/app-state.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin, lockInfo } from "../../client/session.ts";
import { openAlerts } from "../../monitoring/alerting/open-alerts.ts";
import { startLive } from "../../monitoring/system/live.ts";
import { NewsHint } from "../release-notes/news-hint.tsx";
import { AppsCard } from "./apps-card.tsx";
import { Board } from "./board.tsx";
import { useBodies } from "./bodies.ts";
import { FirstSteps } from "./first-steps.tsx";
import { LiveCard } from "./live-cards.tsx";
import { Needs } from "./needs.tsx";
import { ServerCard } from "./server-card.tsx";
import { StorageDialog } from "./storage-dialog.tsx";
import { type Facts, judge, listNeeds } from "./verdict.ts";

/** Is all well, what needs you, and what the server is doing right now. */
export function Home() {
  const [storage, showStorage] = useState(false);
  useEffect(startLive, []);
  const apps = useResource("GET /api/apps");
  const runtime = useResource("GET /api/system/runtime");
  const disks = useResource("GET /api/system/disks", { everyMs: 60_000 });
  const overview = useResource("GET /api/system/overview", { everyMs: 60_000 });
  const alerts = useResource("GET /api/alerting/events", { ...openAlerts, everyMs: 60_000 });
  const list = apps.data.value;
  const facts: Facts = {
    host: lockInfo.value?.hostname ?? "This server",
    apps: list ?? [],
    runtime: runtime.data.value,
    disks: disks.data.value ?? [],
    alerts: alerts.data.value ?? [],
    // Nobody else can do anything about backups.
    backup: isAdmin() ? (overview.data.value?.backup ?? null) : null,
  };
  const bodies = useBodies(facts.apps);
  const needs = listNeeds(facts);
  // The first steps stand at the top when nothing needs fixing, and further down otherwise.
  const firstStepsHere = needs.length === 0;
  const verdict = list === null ? null : judge(facts);
  return (
    <div class="page">
      <section class="hero" aria-labelledby="verdict">
        <div class="say">
          <p class="t13 c3">
            {today()}
            <NewsHint />
          </p>
          <h1 class="verdict" id="verdict">
            {verdict?.title ??
              (apps.problem.value === null ? "Looking around…" : `${facts.host} does not say how its apps are.`)}
          </h1>
          <p class="lede">{verdict?.lede ?? (apps.problem.value?.message || "\u00a0")}</p>
          <Needs needs={needs} onStorage={() => showStorage(true)} />
          {list !== null && firstStepsHere && <FirstSteps apps={list} />}
          {list !== null && firstStepsHere && <QuickOpen apps={list} />}
        </div>
        <figure class="sky">
          <Orrery bodies={bodies} label="Orrery: one ring per kind of app, one dot per app" />
          {bodies.length > 0 && (
            <figcaption>
              <span>
                <b>Ring</b>kind
              </span>
              <span>
                <b>Size</b>memory
              </span>
              <span>
                <b>Tail</b>processor
              </span>
            </figcaption>
          )}
        </figure>
      </section>
      {list !== null && !firstStepsHere && <FirstSteps apps={list} />}
      <Board
        widget={(id) => {
          if (id === "apps") return <AppsCard apps={apps} />;
          if (id === "server") return <ServerCard runtime={runtime} />;
          return <LiveCard id={id} disks={disks} onStorage={() => showStorage(true)} />;
        }}
      />
      {storage && <StorageDialog disks={disks} onClose={() => showStorage(false)} />}
    </div>
  );
}

function today(): string {
  return new Date().toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long" });
}

const shownAtMost = 6;

/** When nothing needs anybody: the way into the apps themselves. */
function QuickOpen({ apps }: { apps: App[] }) {
  const open = apps.flatMap((app) => {
    const reach = reachOf(app);
    return app.status === "running" && reach.kind === "open" ? [{ app, url: reach.url }] : [];
  });
  if (open.length === 0) return null;
  return (
    <nav class="quick" aria-label="Open an app">
      {open.slice(0, shownAtMost).map(({ app, url }) => (
        <LinkButton key={app.id} href={url} size="sm" icon="external" external>
          {app.display_name}
        </LinkButton>
      ))}
    </nav>
  );
}
