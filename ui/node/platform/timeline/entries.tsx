import type { TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import { clock, moment } from "../../../client/format.ts";
import { Icon } from "../../../kit/icon.tsx";
import { Badge, Glyph } from "../../../kit/status.tsx";
import { isAdmin } from "../../client/session.ts";
import { dayOf, iconOf, metricsLink, stateOf } from "./words.ts";

/** Entries under the days they happened on. */
export function Days({ entries }: { entries: TimelineEntry[] }) {
  const now = new Date();
  const days = [...Map.groupBy(entries, ({ timestamp }) => dayOf(timestamp, now))];
  return (
    <>
      {days.map(([day, list]) => (
        <section class="card dayblock" key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol class="happened">
            {list.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

const severities = { info: "", warning: "Warning: ", critical: "Critical: " };

function Entry({ entry }: { entry: TimelineEntry }) {
  const { title, category, severity, timestamp, link, count } = entry;
  return (
    <li>
      <time class="t12 c3" dateTime={timestamp} data-tip={moment(timestamp)}>
        {clock(Date.parse(timestamp))}
      </time>
      <span class={`sign ${severity}`}>
        {severity === "info" ? <Icon name={iconOf(category)} /> : <Glyph state={stateOf[severity]} />}
      </span>
      <span class="what">
        <span class="sr">{severities[severity]}</span>
        {link === null ? title : <a href={link}>{title}</a>}
        {count > 1 && (
          <>
            {" "}
            <Badge>{count}×</Badge>
          </>
        )}
      </span>
      <a class="chip" href={metricsLink(entry)} aria-label={`Metrics at the time of: ${title}`}>
        <Icon name="metrics" />
        <span class="no-sm">Metrics</span>
      </a>
      {isAdmin() && (
        <a class="chip" href={`/logs?at=${encodeURIComponent(timestamp)}`} aria-label={`Logs at the time of: ${title}`}>
          <Icon name="terminal" />
          <span class="no-sm">Logs</span>
        </a>
      )}
    </li>
  );
}
