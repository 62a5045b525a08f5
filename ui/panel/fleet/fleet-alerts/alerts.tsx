import type { AlertGroup } from "../../../../src/panel/fleet/fleet-alerts/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Badge } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useChanges } from "../../client/changes.ts";
import { useResource } from "../../client/resource.ts";
import { GroupRow } from "./group-row.tsx";
import { verdictOf } from "./words.ts";

/** Changes come every second in a large fleet; a list that moves more often than this is hard to read. */
const changesMs = 4_000;

/** What is wrong now, by cause and the worst first: what nobody has, then what somebody knows of. */
export function AlertsScreen() {
  const alerts = useResource("GET /api/fleet/alerts/groups", { everyMs: 30_000 });
  useChanges("fleet", alerts.refresh, changesMs);
  return (
    <div class="page alertspage">
      <Loaded of={alerts} what="Alerts">
        {(data) => {
          const isKnown = (group: AlertGroup): boolean => group.acknowledged === group.count;
          const [open, known] = [data.groups.filter((group) => !isKnown(group)), data.groups.filter(isKnown)];
          return (
            <>
              <header class="head">
                <h1>Alerts</h1>
                <p class="t13 c3" role="status">
                  {verdictOf(data)}
                </p>
              </header>
              {data.total === 0 && (
                <EmptyState title="Nothing is wrong" action={<LinkButton href="/fleet">See all nodes</LinkButton>}>
                  A node that falls silent, runs out of room or has a failed app appears here, together with others that
                  have the same trouble.
                </EmptyState>
              )}
              <Groups title="Nobody has these" groups={open} onChange={alerts.refresh} />
              <Groups title="Somebody has these" groups={known} onChange={alerts.refresh} />
              {data.total > data.groups.length && (
                <p class="t13 c3">
                  {(data.total - data.groups.length).toLocaleString("en")} more causes are not shown. The worst are
                  above.
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

interface GroupsProps {
  title: string;
  groups: readonly AlertGroup[];
  onChange: () => Promise<void>;
}

function Groups({ title, groups, onChange }: GroupsProps) {
  if (groups.length === 0) return null;
  return (
    <Card
      title={
        <span class="row">
          {title} <Badge>{groups.length.toLocaleString("en")}</Badge>
        </span>
      }
    >
      <ul class="rows sep">
        {groups.map((group) => (
          <GroupRow key={group.id} group={group} onChange={onChange} />
        ))}
      </ul>
    </Card>
  );
}
