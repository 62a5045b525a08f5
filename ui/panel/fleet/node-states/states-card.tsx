import { useState } from "preact/hooks";
import type { StateChange } from "../../../../src/panel/fleet/node-states/contract.ts";
import { duration, moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { type Figures, shortReasons, statusLook } from "../fleet/health.ts";
import { withEnds } from "./spans.ts";

const fewest = 6;
const most = 200;
/** What a figure was at that moment is not kept with the change. */
const unknownFigures: Figures = { cpu_percent: null, memory_percent: null, disk_percent: null };

/** What a node has been through: each status with its reasons, since when and for how long, the newest first. */
export function StatesCard({ id }: { id: string }) {
  const [limit, setLimit] = useState(fewest);
  const states = useResource("GET /api/fleet/instances/{id}/states", {
    path: { id },
    query: { limit },
    everyMs: 30_000,
  });
  return (
    <Card
      w={4}
      title="States"
      actions={
        states.data.value?.next != null &&
        limit < most && (
          <Button size="sm" onClick={() => setLimit(most)}>
            Show all
          </Button>
        )
      }
    >
      <Loaded of={states} what="Its states">
        {({ changes }) =>
          changes.length === 0 ? (
            <p class="card-b t13 c3">Its status has not changed in the last 100 days.</p>
          ) : (
            <ol class="states" aria-label="States, the newest first">
              {withEnds(changes, Date.now()).map(({ change, lastedMs }) => (
                <State key={change.at} change={change} lastedMs={lastedMs} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}

function State({ change, lastedMs }: { change: StateChange; lastedMs: number }) {
  const { state, word } = statusLook(change.to);
  const reasons = shortReasons(change.reasons, unknownFigures);
  return (
    <li>
      <Glyph state={state} />
      <span>
        <b class="w5">{word}</b>
        {reasons !== "" && <span class="c2">, {reasons}</span>}
        <span class="sub">
          <time dateTime={change.at}>{moment(change.at)}</time>, for {duration(lastedMs / 1000)}
        </span>
      </span>
    </li>
  );
}
