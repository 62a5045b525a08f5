import type { Incident } from "../../../../src/panel/fleet/fleet-incidents/contract.ts";
import { ago, count, moment } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { Loaded, ProblemCard } from "../../../parts/loaded.tsx";
import { usePaged } from "../../../parts/paged.ts";
import { api } from "../../client/api.ts";
import { useChanges } from "../../client/changes.ts";
import { useResource } from "../../client/resource.ts";
import { severityLook } from "../fleet-alerts/words.ts";
import { IncidentView } from "./incident.tsx";
import { courseText, incidentTitle, lastedText, ownerText, verdictOf } from "./words.ts";

/** Changes come every second in a large fleet; an incident moves by the minute. */
const changesMs = 10_000;
const pageSize = 25;

/** What is open, what is over, and beside it the one that was chosen. */
export function IncidentsScreen({ params }: { params: Record<string, string> }) {
  const chosen = params["id"] ?? null;
  const open = useResource("GET /api/fleet/incidents", { everyMs: 30_000 });
  useChanges("fleet", open.refresh, changesMs);
  return (
    <div class={`page incidents ${chosen === null ? "" : "one"}`}>
      <Loaded of={open} what="Incidents">
        {(data) => {
          const unknown = data.incidents.filter(({ acknowledged }) => acknowledged === null);
          const known = data.incidents.filter(({ acknowledged }) => acknowledged !== null);
          const shown = chosen ?? data.incidents[0]?.id ?? null;
          return (
            <>
              <header class="head">
                <h1>Incidents</h1>
                <p class="t13 c3" role="status">
                  {verdictOf(data)}
                </p>
              </header>
              <div class="sides">
                <nav class="lists" aria-label="Incidents">
                  <List title="Nobody has these" incidents={unknown} shown={shown} />
                  <List title="Somebody has these" incidents={known} shown={shown} />
                  <Over shown={shown} isQuiet={data.open === 0} />
                </nav>
                {shown !== null && <IncidentView key={shown} id={shown} onChange={open.refresh} />}
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** Those that are over, the newest first. */
function Over({ shown, isQuiet }: { shown: string | null; isQuiet: boolean }) {
  const { rows, hasMore, problem, more, retry } = usePaged<Incident>("over", async (last) => {
    const query = { state: "over" as const, limit: pageSize, ...(last === null ? {} : { before: last.id }) };
    const { incidents } = await api("GET /api/fleet/incidents", { query });
    return { rows: incidents, hasMore: incidents.length === pageSize };
  });
  if (problem !== null) return <ProblemCard problem={problem} what="What is over" retry={retry} />;
  if (rows === null) return null;
  if (rows.length === 0 && isQuiet) return <Quiet />;
  return (
    <List title="Over" incidents={rows} shown={shown}>
      {hasMore && (
        <p class="card-f center-row">
          <Button size="sm" onClick={more}>
            Older
          </Button>
        </p>
      )}
    </List>
  );
}

/** No incident yet, which does not mean that there is no alert: what passes by itself is none. */
function Quiet() {
  const open = useResource("GET /api/fleet/alerts/groups").data.value?.open;
  const alerts = open === undefined ? 0 : open.critical + open.warning;
  const action =
    alerts > 0 ? (
      <LinkButton href="/alerts">{`See ${count(alerts, "open alert")}`}</LinkButton>
    ) : (
      <LinkButton href="/fleet">See all nodes</LinkButton>
    );
  return (
    <EmptyState title="No incident so far" action={action}>
      Trouble that lasts longer than a minute, such as a full disk or a server that is offline, is kept here for 90 days
      after it is over, with its servers, who took care of it and what they wrote. Reports that come late, and servers
      that never reported, are alerts alone.
    </EmptyState>
  );
}

interface ListProps {
  title: string;
  incidents: readonly Incident[];
  shown: string | null;
  children?: preact.ComponentChildren;
}

function List({ title, incidents, shown, children }: ListProps) {
  if (incidents.length === 0) return null;
  const now = Date.now();
  return (
    <Card title={title}>
      <ul class="rows sep">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <a
              class="item"
              href={`/incidents/${incident.id}`}
              aria-current={incident.id === shown ? "true" : undefined}
            >
              <Glyph state={incident.over_at === null ? severityLook[incident.severity].state : "ok"} />
              <span class="body">
                <span class="title">
                  <span class="sr">{incident.over_at === null ? severityLook[incident.severity].word : "Over"}: </span>
                  {incidentTitle(incident, now)}
                </span>
                <span class="sub cut">
                  {[incident.over_at === null ? ownerText(incident) : lastedText(incident, now), courseText(incident)]
                    .filter((part) => part !== "")
                    .join(", ")}
                </span>
              </span>
              <time class="t13 c3 nowrap" dateTime={incident.opened_at} data-tip={moment(incident.opened_at)}>
                {ago(incident.over_at ?? incident.since)}
              </time>
            </a>
          </li>
        ))}
      </ul>
      {children}
    </Card>
  );
}
