import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AlertEvent } from "../../../../src/node/monitoring/alerting/contract.ts";
import { ago, duration, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { acknowledgeAlert } from "./acknowledge.ts";
import { EventDrawer } from "./event-drawer.tsx";
import { eventState } from "./rule-words.ts";

const page = 50;

/** What fired and how it ended, newest first. */
export function EventsTab() {
  const state = query.value.get("state") === "firing" ? "firing" : undefined;
  const events = useResource("GET /api/alerting/events", {
    query: { limit: page, state },
    everyMs: 10_000,
  });
  const [older, setOlder] = useState<AlertEvent[]>([]);
  const [isLast, setLast] = useState(false);
  const [busy, setBusy] = useState(false);
  const shown = query.value.get("event");
  const current = useRef(state);
  current.current = state;
  useLayoutEffect(() => {
    setOlder([]);
    setLast(false);
  }, [state]);
  const more = async (last: AlertEvent): Promise<void> => {
    setBusy(true);
    try {
      const next = await api("GET /api/alerting/events", { query: { limit: page, state, cursor: last.id } });
      // The filter has changed meanwhile: these events belong to the one before.
      if (current.current !== state) return;
      setOlder((list) => [...list, ...next]);
      setLast(next.length < page);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setBusy(false);
    }
  };
  const choose = (value: "all" | "firing"): void => {
    setQuery({ state: value === "all" ? null : value });
  };
  const filter = (
    <Segmented
      label="Which events"
      size="sm"
      value={state ?? "all"}
      options={[
        { value: "all", label: "All" },
        { value: "firing", label: "Open" },
      ]}
      onValue={choose}
    />
  );
  return (
    <Card w={12} class="alertlist" title="Events" actions={filter}>
      <Loaded of={events} what="Events" skeleton={<Skeleton rows={5} />}>
        {(first) => {
          const known = new Set(first.map(({ id }) => id));
          const list = [...first, ...older.filter(({ id }) => !known.has(id))];
          const last = list.at(-1);
          if (last === undefined) return <Nothing state={state} />;
          return (
            <>
              <Table list={list} refresh={() => void events.refresh()} />
              {first.length === page && !isLast && (
                <p class="center">
                  <Button size="sm" busy={busy} onClick={() => void more(last)}>
                    Show older
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
      {shown !== null && (
        <EventDrawer id={shown} onClose={() => setQuery({ event: null })} onChanged={() => void events.refresh()} />
      )}
    </Card>
  );
}

function Nothing({ state }: { state: "firing" | undefined }) {
  return state === "firing" ? (
    <EmptyState title="No open alerts">Everything that is watched is in order.</EmptyState>
  ) : (
    <EmptyState
      title="Nothing has fired yet"
      action={<LinkButton href="/alerts?tab=rules">See what is watched</LinkButton>}
    >
      When a rule fires, it shows here with how long it lasted and who was told.
    </EmptyState>
  );
}

function Table({ list, refresh }: { list: AlertEvent[]; refresh: () => void }) {
  const acknowledge = async (id: string): Promise<void> => {
    await acknowledgeAlert(id);
    refresh();
  };
  return (
    <DataTable
      label="Events"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "state",
          title: "State",
          cell: (event) => <Status state={eventState(event).state}>{eventState(event).word}</Status>,
        },
        {
          id: "what",
          title: "What",
          cell: (event) => (
            <span class="col rulename">
              <button type="button" class="link linkish w6" onClick={() => setQuery({ event: event.id })}>
                {event.rule_name}
              </button>
              <span class="t12 c3">{event.message}</span>
              <span class="t12 c3 only-sm">
                {ago(event.started_at)}, {event.state === "firing" ? "for" : "lasted"}{" "}
                {duration(event.duration_seconds)}
              </span>
              <Marks event={event} />
            </span>
          ),
        },
        {
          id: "when",
          title: "Began",
          wide: true,
          cell: ({ started_at }) => <span data-tip={moment(started_at)}>{ago(started_at)}</span>,
        },
        { id: "long", title: "Lasted", wide: true, cell: ({ duration_seconds }) => duration(duration_seconds) },
        {
          id: "act",
          title: "",
          number: true,
          wide: true,
          cell: (event) =>
            isAdmin() && event.state === "firing" && event.acknowledged_at === null ? (
              <Button size="sm" onClick={() => void acknowledge(event.id)}>
                Acknowledge
              </Button>
            ) : null,
        },
      ]}
    />
  );
}

function Marks({ event }: { event: AlertEvent }) {
  if (event.silenced_until !== null) return <Chip>Silent until {moment(event.silenced_until)}</Chip>;
  if (event.suppressed && event.notified_at === null) return <Chip>Held by maintenance</Chip>;
  return null;
}
