import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import { Glyph, type State } from "../../../kit/status.tsx";
import { fullLabel } from "../../../kit/time-axis.ts";
import { crosshair } from "../../../kit/time-chart.tsx";
import { useResource } from "../../client/resource.ts";
import { sheet } from "./lane.tsx";
import { eventsWithin } from "./view.ts";

/** Sign-ins are left out: there are so many that the events which change the curves would be lost among them. */
const categories = "app,backup,alert,update,system";
const limit = 60;

const states: Record<TimelineEntry["severity"], State> = { info: "info", warning: "warn", critical: "crit" };

/** What happened since a moment, newest first; none while it loads or where it may not be seen. */
export function useEvents(fromMs: number): TimelineEntry[] {
  // Changes every ten minutes only, because each new query is a new resource.
  const from = useMemo(() => new Date(fromMs).toISOString(), [Math.floor(fromMs / 600_000)]);
  const { data } = useResource("GET /api/timeline", { query: { category: categories, from, limit }, everyMs: 60_000 });
  return data.value?.items ?? [];
}

/** The top row of the sheet: marks of what happened, and the time that is pointed at. */
export function EventsLane({ events, times }: { events: TimelineEntry[]; times: number[] }) {
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const shown = eventsWithin(events, times);
  const at = crosshair(sheet);
  const pill = useComputed(() => (at.value === null ? null : fullLabel(at.value, last - first)));
  const share = useComputed(() => `${(((at.value ?? 0) - first) / Math.max(1, last - first)) * 100}%`);
  return (
    <section class="lane ev" aria-label="Events">
      <div class="lab">
        <h2>Events</h2>
        <p class="t13 c3">{shown.length === 0 ? "None in this time" : `${shown.length} in this time`}</p>
      </div>
      <div class="fig">
        <div class="events">
          {shown.map((event) => (
            <a
              key={event.id}
              class="e"
              style={{
                "--x": `${Math.min(1, (Date.parse(event.timestamp) - first) / Math.max(1, last - first)) * 100}%`,
              }}
              href={event.link ?? "/timeline"}
              data-tip={event.title}
              aria-label={event.title}
            >
              <Glyph state={states[event.severity]} />
            </a>
          ))}
          {pill.value !== null && (
            <span class="timepill" style={{ "--x": share.value }} aria-hidden="true">
              {pill}
            </span>
          )}
        </div>
      </div>
    </section>
  );
}
