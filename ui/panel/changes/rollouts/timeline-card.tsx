import type { RolloutDetail, TimelineEntry } from "../../../../src/panel/changes/rollouts/contract.ts";
import { clock, moment } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";

/** Lines that are shown at once. */
const linesMax = 60;

const looks: Record<string, State> = {
  ...{ paused: "warn", node_failed: "crit", revert_failed: "crit", node_skipped: "warn", soak_passed: "ok" },
  ...{ completed: "ok", rolled_back: "off", rollback_started: "warn", awaiting_promotion: "info" },
};

/** How it came to where it is, the newest first. */
export function TimelineCard({ timeline }: Pick<RolloutDetail, "timeline">) {
  return (
    <Card title="Timeline" w={4} class="rolltimeline">
      <ol class="rolltl">
        {timeline.slice(0, linesMax).map((line, index) => (
          <Line key={`${line.at} ${timeline.length - index}`} line={line} />
        ))}
      </ol>
      {timeline.length > linesMax && <p class="card-b t13 c3">Older lines are left out.</p>}
    </Card>
  );
}

function Line({ line: { at, kind, text, by, comment } }: { line: TimelineEntry }) {
  return (
    <li>
      <time dateTime={at} title={moment(at)}>
        {clock(Date.parse(at))}
      </time>
      <Glyph state={looks[kind] ?? "unknown"} />
      <div>
        <p>
          {text}
          {by === null ? "" : `, by ${by}`}
        </p>
        {comment !== null && !text.includes(comment) && <p class="t13 c3">“{comment}”</p>}
      </div>
    </li>
  );
}
