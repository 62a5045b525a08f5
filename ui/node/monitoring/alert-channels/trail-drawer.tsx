import { useState } from "preact/hooks";
import type { Channel, Delivery } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { ago, count, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Drawer } from "../../../kit/dialog.tsx";
import { Chip, Glyph, type State } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";

const PAGE = 50;
const states: Record<Delivery["status"], State> = {
  sending: "busy",
  delivered: "ok",
  failed: "crit",
  interrupted: "warn",
};
const words: Record<Delivery["status"], string> = {
  sending: "On its way",
  delivered: "Delivered",
  failed: "Failed",
  interrupted: "Interrupted",
};
const kindWords: Record<Delivery["events"][number]["kind"], string> = {
  fired: "fired",
  resolved: "resolved",
  reminder: "reminder",
  flapping: "unsteady",
};

/** Every attempt to reach a channel, newest first. */
export function TrailDrawer({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const path = { id: channel.id };
  const first = useResource("GET /api/alerting/channels/{id}/deliveries", { path, everyMs: 10_000 });
  const [older, setOlder] = useState<Delivery[]>([]);
  const [done, setDone] = useState(false);
  const more = async (last: Delivery): Promise<void> => {
    try {
      const query = { cursor: last.id, limit: PAGE };
      const page = await api("GET /api/alerting/channels/{id}/deliveries", { path, query });
      setOlder([...older, ...page]);
      setDone(page.length < PAGE);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  return (
    <Drawer title="Deliveries" sub={`to ${channel.name}, kept for 30 days`} onClose={onClose}>
      <Loaded of={first} what="Deliveries" skeleton={<Skeleton rows={4} />}>
        {(list) => {
          const known = new Set(list.map(({ id }) => id));
          const all = [...list, ...older.filter(({ id }) => !known.has(id))];
          const last = all.at(-1);
          if (last === undefined) {
            return <EmptyState title="Nothing sent yet">Each message and each try will be listed here.</EmptyState>;
          }
          return (
            <>
              <ol class="trail">
                {all.map((delivery) => (
                  <TrailRow key={delivery.id} delivery={delivery} />
                ))}
              </ol>
              {!done && list.length >= PAGE && (
                <Button wide onClick={() => void more(last)}>
                  Older ones
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Drawer>
  );
}

function TrailRow({ delivery }: { delivery: Delivery }) {
  const { status, at, code, latency_ms, provider_text, attempt, events, test, plain } = delivery;
  const counts = Object.entries(Object.groupBy(events, ({ kind }) => kindWords[kind]));
  const facts = [
    test ? "test" : counts.map(([word, list]) => count(list?.length ?? 0, word, word)).join(", "),
    attempt > 1 ? `try ${attempt}` : "",
    code === null ? "" : `status ${code}`,
    latency_ms === null ? "" : `${latency_ms} ms`,
  ];
  return (
    <li>
      <span class="row">
        <Glyph state={states[status]} />
        <b class="w5">{words[status]}</b>
        {plain && <Chip>plain text</Chip>}
        <time class="push t13 c3 nowrap" dateTime={at} data-tip={moment(at)}>
          {ago(at)}
        </time>
      </span>
      <span class="t13 c3">{facts.filter((fact) => fact !== "").join(" · ")}</span>
      {provider_text !== "" && <span class="t13 said">“{provider_text}”</span>}
    </li>
  );
}
