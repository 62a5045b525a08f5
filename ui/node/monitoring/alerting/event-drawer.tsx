import type { AlertEvent, AlertEventDetail } from "../../../../src/node/monitoring/alerting/contract.ts";
import { duration, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { acknowledgeAlert } from "./acknowledge.ts";
import { endText, eventState, severities, valueText } from "./rule-words.ts";

const silences = [
  { value: "", label: "Not silent" },
  { value: "3600", label: "Silent for 1 h" },
  { value: "14400", label: "Silent for 4 h" },
  { value: "86400", label: "Silent for 1 day" },
  { value: "604800", label: "Silent for 7 days" },
];

/** One episode: what happened, how bad it was, and who was told. */
export function EventDrawer({ id, onClose, onChanged }: { id: string; onClose: () => void; onChanged: () => void }) {
  const event = useResource("GET /api/alerting/events/{id}", { path: { id }, everyMs: 10_000 });
  const silence = async (seconds: string): Promise<void> => {
    const body = seconds === "" ? { until: null } : { for: Number(seconds) };
    try {
      await api("POST /api/alerting/events/{id}/silence", { path: { id }, body });
      toast(seconds === "" ? "It is not silent any more." : "Quiet. That it is over will be told all the same.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await event.refresh();
    onChanged();
  };
  const acknowledge = async (): Promise<void> => {
    await acknowledgeAlert(id);
    await event.refresh();
    onChanged();
  };
  return (
    <Dialog kind="drawer" title={event.data.value?.rule_name ?? "Alert"} onClose={onClose}>
      <Loaded of={event} what="Alert" skeleton={<Skeleton rows={5} />}>
        {(data) => (
          <div class="stack">
            <p>{data.message}</p>
            <Facts event={data} />
            {isAdmin() && (
              <p>
                <LinkButton size="sm" icon="terminal" href={`/logs?at=${encodeURIComponent(data.started_at)}`}>
                  Logs when it began
                </LinkButton>
              </p>
            )}
            <Changes changes={data.changes} />
            {isAdmin() && data.state === "firing" && data.acknowledged_at === null && (
              <p>
                <Button onClick={() => void acknowledge()}>Acknowledge</Button>
              </p>
            )}
            {isAdmin() && data.state === "firing" && <Silence event={data} onValue={(value) => void silence(value)} />}
            <Trail id={id} event={data} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

/** What was done shortly before: most trouble begins with a change. */
function Changes({ changes }: { changes: AlertEventDetail["changes"] }) {
  return (
    <section class="stack">
      <h3 class="t13 w6">Changed in the hour before</h3>
      {changes.length === 0 ? (
        <p class="c3 t13">Nothing was changed on it, and nobody signed in.</p>
      ) : (
        <ul class="rows sep">
          {changes.map(({ at, title, link }) => (
            <li class="item" key={`${at} ${title}`}>
              <div class="body">
                <p class="title">
                  {link === null ? (
                    title
                  ) : (
                    <a class="link" href={link}>
                      {title}
                    </a>
                  )}
                </p>
                <p class="sub">{moment(at)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Silence({ event, onValue }: { event: AlertEvent; onValue: (value: string) => void }) {
  const until = event.silenced_until;
  const now = until === null ? [] : [{ value: "until", label: `Silent until ${moment(until)}` }];
  return (
    <Select label="Silence" value={until === null ? "" : "until"} options={[...now, ...silences]} onValue={onValue} />
  );
}

function Facts({ event }: { event: AlertEvent }) {
  const { state, word } = eventState(event);
  const rows: [string, preact.ComponentChildren][] = [
    ["State", <Status state={state}>{word}</Status>],
    ["Severity", severities[event.severity].word],
    ["About", event.entity_name],
    ["Began", moment(event.started_at)],
    ["Fired", moment(event.fired_at)],
    ["Ended", event.resolved_at === null ? "Not yet" : moment(event.resolved_at)],
    ["Lasted", duration(event.duration_seconds)],
  ];
  const why = endText(event);
  if (why !== null) rows.push(["Why it ended", why]);
  if (event.peak !== null) rows.push(["Worst value", valueText(event.peak, event.unit)]);
  rows.push(["People told", event.notified_at === null ? heldText(event) : moment(event.notified_at)]);
  if (event.acknowledged_at !== null) rows.push(["Acknowledged", moment(event.acknowledged_at)]);
  return (
    <dl class="eventfacts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function heldText(event: AlertEvent): string {
  if (event.state === "resolved") return "No: it was over before";
  return event.suppressed ? "Not yet: maintenance" : "Not yet: it was told of a short while ago";
}

function Trail({ id, event }: { id: string; event: AlertEvent }) {
  const deliveries = useResource("GET /api/alerting/deliveries", { query: { event_id: id }, everyMs: 10_000 });
  return (
    <section class="stack">
      <h3 class="t13 w6">Deliveries</h3>
      <Loaded of={deliveries} what="Deliveries" skeleton={<Skeleton rows={2} />}>
        {(list) =>
          list.length === 0 ? (
            <p class="c3 t13">
              {event.notified_at === null ? "Nothing was sent." : "No channel was on, so nothing was sent."}{" "}
              <a class="link" href="/alerts?tab=channels">
                See channels
              </a>
            </p>
          ) : (
            <ul class="rows sep">
              {list.map((one) => (
                <li class="item" key={one.id}>
                  <div class="body">
                    <p class="title">
                      <Status state={one.status === "delivered" ? "ok" : one.status === "sending" ? "busy" : "crit"}>
                        {one.channel_name}: {one.status}
                      </Status>
                    </p>
                    <p class="sub">
                      {moment(one.at)}, attempt {one.attempt}
                      {one.latency_ms === null ? "" : `, ${one.latency_ms} ms`}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
