import type { Insights } from "../../../../src/node/monitoring/insights/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { useResource } from "../../client/resource.ts";
import { NotYet } from "./not-yet.tsx";
import { found, joinReasons, lacks, type Of, stateOf } from "./words.ts";

const order = ["high", "medium", "low"];

/** Which apps crash, run out of memory or restart, the worst first. */
export function AppHealthCard({ insights }: { insights: Insights }) {
  const apps = useResource("GET /api/apps");
  const idOf = (name: string): string | null => apps.data.value?.find((app) => app.name === name)?.id ?? null;
  const known = found(insights, "app_health").sort((a, b) => order.indexOf(a.risk_level) - order.indexOf(b.risk_level));
  const waiting = joinReasons(lacks(insights, "app_health"));
  return (
    <Card title="Apps">
      {known.length > 0 && (
        <ul class="rows">
          {known.map((app) => (
            <AppItem key={app.app_name} app={app} id={idOf(app.app_name)} />
          ))}
        </ul>
      )}
      {waiting.length > 0 && (
        <div class="card-b">
          <NotYet reasons={waiting} />
        </div>
      )}
    </Card>
  );
}

/** The summary without the name that stands above it. */
function aboutIt({ app_name, summary }: Of<"app_health">): string {
  const rest = summary.startsWith(`${app_name} `) ? summary.slice(app_name.length + 1) : summary;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function AppItem({ app, id }: { app: Of<"app_health">; id: string | null }) {
  const isWell = app.risk_level === "low";
  return (
    <li class="item">
      <Glyph state={stateOf[app.risk_level]} />
      <span class="body">
        <span class="title">{app.app_name}</span>
        <span class="sub block">{aboutIt(app)}</span>
      </span>
      {id !== null && !isWell && (
        <LinkButton size="sm" href={`/apps/${id}?tab=logs`}>
          See the log
        </LinkButton>
      )}
    </li>
  );
}

/** How backups fare. */
export function BackupHealthCard({ insights }: { insights: Insights }) {
  const known = found(insights, "backup_health");
  return (
    <Card title="Backups">
      <div class="card-b">
        {known.map((one) => (
          <p key={one.summary} class="row t13">
            <Glyph state={stateOf[one.risk_level]} />
            <span>{one.summary}</span>
          </p>
        ))}
        <NotYet reasons={lacks(insights, "backup_health")} />
      </div>
    </Card>
  );
}
