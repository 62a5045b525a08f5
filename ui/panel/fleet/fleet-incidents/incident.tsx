import { useState } from "preact/hooks";
import type { IncidentDetail } from "../../../../src/panel/fleet/fleet-incidents/contract.ts";
import { ago, clock, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Badge, Chip, Glyph, Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { statusLook } from "../fleet/health.ts";
import { fleetPath, nextSteps, severityLook } from "../fleet-alerts/words.ts";
import { NoteDialog } from "./note-dialog.tsx";
import { courseText, entryText, incidentTitle, lastedText, ownerText } from "./words.ts";

/** So many servers are read at a glance. */
const fewNodes = 6;

/** One incident: what to do, its servers, and what happened. */
export function IncidentView({ id, onChange }: { id: string; onChange: () => Promise<void> }) {
  const detail = useResource("GET /api/fleet/incidents/{id}", { path: { id }, everyMs: 15_000 });
  const refresh = async (): Promise<void> => {
    await Promise.all([detail.refresh(), onChange()]);
  };
  return (
    <section class="incident" aria-label="Incident">
      <Loaded of={detail} what="This incident" missing={<Gone />}>
        {(incident) => (
          <>
            <Head incident={incident} onChange={refresh} />
            <Timeline incident={incident} />
            {incident.link === null && <Affected incident={incident} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

const Gone = () => (
  <EmptyState title="This incident is gone" action={<LinkButton href="/incidents">See all incidents</LinkButton>}>
    Incidents are kept for 90 days after they are over.
  </EmptyState>
);

function Head({ incident, onChange }: { incident: IncidentDetail; onChange: () => Promise<void> }) {
  const [isWriting, write] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const now = Date.now();
  const title = incidentTitle(incident, now);
  const isOpen = incident.over_at === null;
  const look = isOpen ? severityLook[incident.severity] : { state: "ok" as const, word: "Over" };
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      const { region, since, rule } = incident;
      if (rule === "rollout_stopped") return;
      await api("POST /api/fleet/alerts/acknowledge", {
        body: { rule, region, since, latest: new Date().toISOString() },
      });
      toast(`You have it: ${title}.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await onChange();
    setBusy(false);
  };
  return (
    <Card>
      <div class="incidenthead">
        <LinkButton kind="ghost" size="sm" icon="left" href="/incidents">
          All incidents
        </LinkButton>
        <h2>
          <Glyph state={look.state} />
          {title}
        </h2>
        <p class="row t13 c3">
          <Chip state={look.state}>{look.word}</Chip>
          <span>{lastedText(incident, now)}</span>
          {isOpen && <span>{ownerText(incident)}</span>}
          {courseText(incident) !== "" && <span>{courseText(incident)}</span>}
        </p>
        {isOpen && <p class="t13 c2">{nextSteps[incident.rule]}</p>}
        {may("fleet:write") && (
          <p class="buttons">
            {isOpen && incident.link !== null && (
              <LinkButton kind="primary" href={incident.link}>
                See the rollout
              </LinkButton>
            )}
            {isOpen && incident.link === null && incident.acknowledged === null && (
              <Button kind="primary" icon="check" busy={isBusy} onClick={() => void take()}>
                Acknowledge
              </Button>
            )}
            <Button icon="edit" onClick={() => write(true)}>
              Write a note
            </Button>
          </p>
        )}
      </div>
      {isWriting && <NoteDialog id={incident.id} onDone={onChange} onClose={() => write(false)} />}
    </Card>
  );
}

function Affected({ incident }: { incident: IncidentDetail }) {
  const { affected, nodes } = incident;
  const [isWhole, showWhole] = useState(affected.length <= fewNodes);
  const shown = isWhole ? affected : affected.slice(0, fewNodes);
  return (
    <Card
      title={
        <span class="row">
          Servers <Badge>{nodes.toLocaleString("en")}</Badge>
        </span>
      }
      actions={
        <LinkButton size="sm" kind="ghost" href={fleetPath(incident)}>
          Such servers now
        </LinkButton>
      }
    >
      <ul class="rows sep">
        {shown.map((node) => {
          const look = node.status === null ? { state: "off" as const, word: "deleted" } : statusLook(node.status);
          return (
            <li key={node.instance_id} class="item">
              <span class="body">
                {node.status === null ? (
                  <span class="title cut">{node.hostname}</span>
                ) : (
                  <a class="title cut main-link" href={`/nodes/${encodeURIComponent(node.instance_id)}`}>
                    {node.hostname}
                  </a>
                )}
                <span class="sub">
                  since{" "}
                  <time dateTime={node.since} data-tip={moment(node.since)}>
                    {ago(node.since)}
                  </time>
                </span>
              </span>
              <Status state={look.state}>{look.word}</Status>
            </li>
          );
        })}
      </ul>
      {!isWhole && (
        <p class="card-f center-row">
          <Button size="sm" onClick={() => showWhole(true)}>
            Show all {affected.length.toLocaleString("en")}
          </Button>
        </p>
      )}
      {isWhole && nodes > affected.length && (
        <p class="card-f t13 c3">{(nodes - affected.length).toLocaleString("en")} more are not named here.</p>
      )}
    </Card>
  );
}

function Timeline({ incident }: { incident: IncidentDetail }) {
  return (
    <Card title="What happened">
      <ol class="happened">
        {incident.timeline.map((entry) => (
          <li key={entry.id}>
            <time class="t13 c3" dateTime={entry.at} data-tip={moment(entry.at)}>
              {clock(Date.parse(entry.at))}
            </time>
            <span class="col">
              <span class="w5">{entryText(entry)}</span>
              {entry.text !== "" && <span class="t13 c2 note">{entry.text}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
