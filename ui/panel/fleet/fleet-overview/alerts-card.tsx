import { ago, moment } from "../../../client/format.ts";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Badge, Glyph } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { knownOf, severityLook, titleOf } from "../fleet-alerts/words.ts";

const shown = 6;

/** What is wrong now, by cause and the worst first; each leads to the page where somebody says that they have it. */
export function AlertsCard() {
  const alerts = useResource("GET /api/fleet/alerts/groups", { everyMs: 30_000 });
  const total = alerts.data.value?.total ?? 0;
  return (
    <Card
      w={8}
      title={<span class="row">Alerts {total > 0 && <Badge>{total.toLocaleString("en")}</Badge>}</span>}
      actions={
        total > 0 ? (
          <a class="btn ghost sm" href="/alerts">
            Open alerts
          </a>
        ) : undefined
      }
    >
      <Loaded of={alerts} what="Alerts">
        {({ groups }) =>
          groups.length === 0 ? (
            <EmptyState title="No alert is open">What needs a look appears here with its nodes.</EmptyState>
          ) : (
            <ul class="rows sep">
              {groups.slice(0, shown).map((group) => (
                <li key={group.id}>
                  <a class="item main-link" href="/alerts">
                    <Glyph state={severityLook[group.severity].state} />
                    <span class="sr">{severityLook[group.severity].word}: </span>
                    <span class="body">
                      <span class="title">{titleOf(group, Date.now())}</span>
                      <span class="sub cut">{knownOf(group)}</span>
                    </span>
                    <time class="t13 c3 nowrap" dateTime={group.since} data-tip={moment(group.since)}>
                      {ago(group.since)}
                    </time>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
