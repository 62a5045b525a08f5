import type { FleetAlert } from "../../../../src/panel/fleet/fleet/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Badge, Glyph, type State } from "../../../kit/status.tsx";

const states: Record<FleetAlert["severity"], State> = { critical: "crit", warning: "warn", info: "info" };
const words: Record<FleetAlert["severity"], string> = { critical: "Critical", warning: "Warning", info: "Note" };

/** What is wrong now, newest first; each leads to its node. */
export function AlertsCard({ alerts, open }: { alerts: readonly FleetAlert[]; open: number }) {
  return (
    <Card
      w={8}
      title={<span class="row">Alerts {open > 0 && <Badge>{open.toLocaleString("en")}</Badge>}</span>}
      actions={
        open > alerts.length ? (
          <a class="btn ghost sm" href="/fleet?sort=-status">
            Open fleet
          </a>
        ) : undefined
      }
    >
      {alerts.length === 0 ? (
        <EmptyState title="No alert is open">What needs a look appears here with its node.</EmptyState>
      ) : (
        <ul class="rows sep">
          {alerts.map((alert) => (
            <li key={alert.id}>
              <a class="item main-link" href={`/nodes/${encodeURIComponent(alert.instance_id)}`}>
                <Glyph state={states[alert.severity]} />
                <span class="sr">{words[alert.severity]}: </span>
                <span class="body">
                  <span class="title cut">{alert.title}</span>
                  <span class="sub cut">{alert.hostname}</span>
                </span>
                <time class="t13 c3 nowrap" dateTime={alert.at} data-tip={moment(alert.at)}>
                  {ago(alert.at)}
                </time>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
