import { useState } from "preact/hooks";
import type { AlertGroup } from "../../../../src/panel/fleet/fleet-alerts/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { may } from "../../client/permissions.ts";
import { acknowledge } from "./acknowledge.ts";
import { fleetPath, knownOf, namesOf, nextSteps, severityLook, titleOf } from "./words.ts";

/** One cause with its nodes, which open below it, and the way to say that somebody knows. */
export function GroupRow({ group, onChange }: { group: AlertGroup; onChange: () => Promise<void> }) {
  const [isOpen, open] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const look = severityLook[group.severity];
  const title = titleOf(group, Date.now());
  const isKnown = group.acknowledged === group.count;
  const take = async (): Promise<void> => {
    setBusy(true);
    await acknowledge(group, title);
    await onChange();
    setBusy(false);
  };
  return (
    <li class="alertgroup">
      <div class="item">
        <Glyph state={look.state} />
        <button type="button" class="body main-link" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          <span class="title">
            <span class="sr">{look.word}: </span>
            {title}
          </span>
          <span class="sub">
            {group.count > 1 && `${namesOf(group)}. `}
            {knownOf(group)}.
          </span>
        </button>
        <time class="t13 c3 nowrap no-sm" dateTime={group.since} data-tip={moment(group.since)}>
          {ago(group.since)}
        </time>
        {!isKnown && may("fleet:write") && (
          <Button size="sm" icon="check" busy={isBusy} onClick={() => void take()}>
            Acknowledge<span class="sr">: {title}</span>
          </Button>
        )}
      </div>
      {isOpen && <Members group={group} />}
    </li>
  );
}

function Members({ group }: { group: AlertGroup }) {
  return (
    <div class="members">
      <p class="t13 c2">{nextSteps[group.rule]}</p>
      <ul class="rows sep">
        {group.alerts.map((alert) => (
          <li key={alert.id} class="item">
            <a class="body main-link" href={`/nodes/${encodeURIComponent(alert.instance_id)}`}>
              <span class="title">{alert.title}</span>
              {alert.acknowledged !== null && (
                <span class="sub">
                  {alert.acknowledged.by ?? "Somebody"} has it, {ago(alert.acknowledged.at)}
                </span>
              )}
            </a>
            <time class="t13 c3 nowrap" dateTime={alert.at} data-tip={moment(alert.at)}>
              {ago(alert.at)}
            </time>
          </li>
        ))}
      </ul>
      <p class="t13">
        {group.count > group.alerts.length && (
          <span class="c3">{(group.count - group.alerts.length).toLocaleString("en")} more are not named here. </span>
        )}
        <a class="link" href={fleetPath(group)}>
          Show such nodes in the fleet
        </a>
      </p>
    </div>
  );
}
