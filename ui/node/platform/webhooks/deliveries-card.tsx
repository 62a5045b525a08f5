import { useEffect, useRef, useState } from "preact/hooks";
import type { Delivery } from "../../../../src/node/platform/webhooks/contract.ts";
import { ago, count as counted, moment } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { deliveryVerdict } from "./words.ts";

const deliveries = (count: number): string => counted(count, "delivery", "deliveries");
const pageSize = 50;
const refreshMs = 3_000;

type Filter = "all" | Delivery["status"];
const filters: { value: Filter; label: string }[] = [
  { value: "all", label: "All deliveries" },
  { value: "pending", label: "Still to be sent" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
];

/** What was sent to a webhook in the last 30 days, newest first. */
export function DeliveriesCard({
  webhookId,
  mayChange,
  reloadKey,
  onChanged,
}: {
  webhookId: string;
  /** Whether deliveries may be sent again. */
  mayChange: boolean;
  /** Loads anew when it changes. */
  reloadKey: number;
  onChanged: () => void;
}) {
  const [filter, setFilter] = useState<Filter>("all");
  const [list, setList] = useState<Delivery[] | null>(null);
  const [more, setMore] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [openId, open] = useState<string | null>(null);
  const canReplay = mayChange && filter === "failed" && (list?.length ?? 0) > 0;
  const isFirstPage = (list?.length ?? 0) <= pageSize;

  // The answer to an earlier request, also one with another filter, must not replace that to the last one.
  const turn = useRef(0);
  const isReading = useRef(false);

  const load = async (before: Delivery[]): Promise<void> => {
    turn.current += 1;
    const mine = turn.current;
    const query = { limit: pageSize, cursor: before.at(-1)?.id, status: filter === "all" ? undefined : filter };
    try {
      const page = await api("GET /api/webhooks/{id}/deliveries", { path: { id: webhookId }, query });
      if (turn.current !== mine) return;
      setList([...before, ...page]);
      setMore(page.length === pageSize);
      setProblem(null);
    } catch (error) {
      if (turn.current === mine) setProblem(asProblem(error));
    }
  };
  const older = async (): Promise<void> => {
    isReading.current = true;
    await load(list ?? []);
    isReading.current = false;
  };
  const again = (): void => {
    if (document.visibilityState === "visible" && !isReading.current) void load([]);
  };
  const replay = async (): Promise<void> => {
    try {
      const { count } = await api("POST /api/webhooks/{id}/replay", {
        path: { id: webhookId },
        body: { since: new Date(0).toISOString() },
      });
      toast(`${deliveries(count)} on the way again.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void load([]);
    onChanged();
  };
  useEffect(() => {
    setList(null);
  }, [filter, webhookId]);
  useEffect(() => {
    void load([]);
    // New entries do not take somebody who reads older pages back to the newest.
    if (!isFirstPage) return;
    const timer = setInterval(again, refreshMs);
    return () => clearInterval(timer);
  }, [filter, webhookId, reloadKey, isFirstPage]);

  return (
    <Card
      title="Deliveries"
      aside="kept for 30 days"
      actions={<Select size="sm" label="Which deliveries" value={filter} options={filters} onValue={setFilter} />}
    >
      {problem !== null && list === null ? (
        <ProblemCard problem={problem} what="Deliveries" retry={() => void load([])} />
      ) : list === null ? (
        <Skeleton rows={5} />
      ) : list.length === 0 ? (
        <EmptyState title={filter === "all" ? "Nothing sent yet" : "None of these"}>
          {filter === "all" ? "The first event, or a test, appears here." : "Choose another kind to see more."}
        </EmptyState>
      ) : (
        <DataTable
          label="Deliveries"
          rows={list}
          keyOf={(delivery) => delivery.id}
          columns={[
            {
              id: "event",
              title: "Event",
              cell: (delivery) => (
                <button type="button" class="main-link linkish" onClick={() => open(delivery.id)}>
                  <span class="title mono t13">{delivery.type}</span>
                </button>
              ),
            },
            {
              id: "status",
              title: "Status",
              cell: (delivery) => {
                const { state, word } = deliveryVerdict(delivery);
                return <Status state={state}>{word}</Status>;
              },
            },
            {
              id: "code",
              title: "Reply",
              wide: true,
              cell: ({ last_attempt: last }) => (last === null ? "" : (last.status_code ?? "No reply")),
            },
            {
              id: "ms",
              title: "Took",
              wide: true,
              number: true,
              cell: ({ last_attempt: last }) => (last === null ? "" : `${last.duration_ms}\u00a0ms`),
            },
            { id: "tries", title: "Tries", wide: true, number: true, cell: ({ attempts }) => attempts },
            {
              id: "at",
              title: "When",
              number: true,
              cell: ({ created_at }) => <span data-tip={moment(created_at)}>{ago(created_at)}</span>,
            },
          ]}
        />
      )}
      {(more || canReplay) && (
        <p class="card-f center-row">
          {more && (
            <Button size="sm" onClick={() => void older()}>
              Older
            </Button>
          )}
          {canReplay && (
            <Button size="sm" icon="restart" onClick={() => void replay()}>
              Send all failed again
            </Button>
          )}
        </p>
      )}
      {openId !== null && (
        <DeliveryDrawer
          webhookId={webhookId}
          mayChange={mayChange}
          id={openId}
          onClose={() => open(null)}
          onSent={() => {
            void load([]);
            onChanged();
          }}
        />
      )}
    </Card>
  );
}
