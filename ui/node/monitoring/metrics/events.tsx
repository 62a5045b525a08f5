import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import { count } from "../../../client/format.ts";
import { Popover } from "../../../kit/menu.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { fullLabel } from "../../../kit/time-axis.ts";
import { crosshair } from "../../../kit/time-chart.tsx";
import { useResource } from "../../client/resource.ts";
import { type Group, groupMarks } from "./event-groups.ts";
import { sheet } from "./lane.tsx";
import { eventsWithin, type Part } from "./view.ts";

/** Sign-ins are left out: there are so many that the events which change the curves would be lost among them. */
const categories = "app,backup,alert,update,system";
const limit = 200;
const roundMs = 600_000;

const states: Record<TimelineEntry["severity"], State> = { info: "info", warning: "warn", critical: "crit" };

/** What happened in a time, newest first. */
export function useEvents({ from: fromMs, to: toMs }: Part) {
  // Changes every ten minutes only, because each new query is a new resource.
  const [first, last] = [Math.floor(fromMs / roundMs), Math.ceil(toMs / roundMs) + 1];
  const span = useMemo(
    () => ({ from: new Date(first * roundMs).toISOString(), to: new Date(last * roundMs).toISOString() }),
    [first, last],
  );
  return useResource("GET /api/timeline", {
    query: { category: categories, ...span, limit },
    everyMs: 60_000,
  });
}

/** The width of the row of marks, which decides how many have room. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** The top row of the sheet: marks of what happened, and the time that is pointed at. */
export function EventsLane({ of, times }: { of: ReturnType<typeof useEvents>; times: number[] }) {
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const events = of.data.value?.items ?? null;
  const shown = eventsWithin(events ?? [], times);
  const { ref, width } = useWidth();
  const at = crosshair(sheet);
  const pill = useComputed(() => (at.value === null ? null : fullLabel(at.value, last - first)));
  const share = useComputed(() => `${(((at.value ?? 0) - first) / Math.max(1, last - first)) * 100}%`);
  const groups = width === 0 ? [] : groupMarks(shown, [first, last], width);
  return (
    <section class="lane ev" aria-label="Events">
      <div class="lab">
        <h2>Events</h2>
        <p class="t13 c3">{events === null ? waitingText(of.problem.value !== null) : lengthText(shown.length)}</p>
      </div>
      <div class="fig">
        <div class="events" ref={ref}>
          {groups.map((group) => (
            <Mark key={group.members[0]?.id} group={group} span={last - first} />
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

/** Nothing is known yet, which is not the same as that nothing happened. */
const waitingText = (hasFailed: boolean): string => (hasFailed ? "Did not load" : "Loading");

function lengthText(length: number): string {
  if (length === 0) return "None in this time";
  return length >= limit ? `The newest ${limit} in this time` : `${length} in this time`;
}

/** One event as a link, several at about the same time as a list that opens. */
function Mark({ group: { at, members }, span }: { group: Group<TimelineEntry>; span: number }) {
  const [first] = members;
  if (first === undefined) return null;
  const style = { "--x": `${at * 100}%` };
  if (members.length === 1) {
    return (
      <a class="e" style={style} href={first.link ?? "/timeline"} data-tip={first.title} aria-label={first.title}>
        <Glyph state={states[first.severity]} />
      </a>
    );
  }
  const worst = (["critical", "warning", "info"] as const).find((one) =>
    members.some(({ severity }) => severity === one),
  );
  const label = `${count(members.length, "event")} around ${fullLabel(Date.parse(first.timestamp), span)}`;
  return (
    <Popover
      role="dialog"
      label={label}
      trigger={(props) => (
        <button {...props} type="button" class="e crowd" style={style} aria-label={label} data-tip={label}>
          <Glyph state={states[worst ?? "info"]} />
          <span class="n">{members.length > 99 ? "99" : members.length}</span>
        </button>
      )}
    >
      {(close) => (
        <ul class="markedevents">
          {members.map((event) => (
            <li key={event.id}>
              <a href={event.link ?? "/timeline"} onClick={close}>
                <Glyph state={states[event.severity]} />
                <span class="col">
                  <span>{event.title}</span>
                  <span class="t12 c3">{fullLabel(Date.parse(event.timestamp), span)}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}
