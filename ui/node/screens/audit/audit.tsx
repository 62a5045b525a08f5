import { useEffect, useRef, useState } from "preact/hooks";
import { ago, moment } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import type { AuditEntry } from "../../client/types.ts";
import { SettingsTabs } from "../../parts/settings-tabs.tsx";
import { ChainState } from "./chain-state.tsx";
import { areas, describe, detailsOf, sinceDays, times } from "./words.ts";

const pageSize = 50;

/** What happened to accounts, sessions and keys; the newest first, and whether the log is whole. */
export function Audit() {
  const area = query.value.get("area") ?? "";
  const text = query.value.get("q") ?? "";
  const days = query.value.get("days") ?? "";
  const [entries, setEntries] = useState<AuditEntry[] | null>(null);
  const [more, setMore] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const users = useResource("GET /api/users").data.value ?? [];
  const names = new Map(users.map(({ id, username }) => [id, username]));

  // An answer to an earlier question must not land in a later one's list.
  const asked = useRef("");
  const question = JSON.stringify([area, text, days]);
  asked.current = question;

  const load = async (before: AuditEntry[]): Promise<void> => {
    const cursor = before.at(-1)?.id;
    try {
      const page = await api("GET /api/audit/logs", {
        query: {
          limit: pageSize,
          action: area === "" ? undefined : area,
          q: text === "" ? undefined : text,
          from: sinceDays(days),
          cursor,
        },
      });
      if (asked.current !== question) return;
      setEntries([...before, ...page]);
      setMore(page.length === pageSize);
      setProblem(null);
    } catch (error) {
      if (asked.current === question) setProblem(asProblem(error));
    }
  };
  useEffect(() => {
    setEntries(null);
    void load([]);
  }, [question]);
  return (
    <div class="page">
      <header class="head">
        <h1>Audit log</h1>
        <span class="push searchbox">
          <QuerySearch label="Search name, device or address" value={text} />
        </span>
      </header>
      <SettingsTabs current="audit" />
      <ChainState />
      <Card
        class="wraphead"
        title="Events"
        actions={
          <>
            <Select size="sm" label="Time" value={days} options={times} onValue={(next) => setQuery({ days: next })} />
            <Select
              size="sm"
              label="Kind of event"
              value={area}
              options={areas}
              onValue={(next) => setQuery({ area: next })}
            />
          </>
        }
      >
        {problem !== null && entries === null ? (
          <ProblemCard problem={problem} what="Audit log" retry={() => void load([])} />
        ) : entries === null ? (
          <Skeleton rows={6} />
        ) : entries.length === 0 ? (
          <EmptyState title="Nothing of this kind">Events appear here as they happen and are never removed.</EmptyState>
        ) : (
          <DataTable
            label="Audit log"
            rows={entries}
            keyOf={(entry) => entry.id}
            columns={[
              {
                id: "at",
                title: "When",
                cell: (entry) => <span data-tip={moment(entry.timestamp)}>{ago(entry.timestamp)}</span>,
              },
              {
                id: "what",
                title: "What",
                cell: (entry) => (
                  <span class="col">
                    <span class="w5">{describe(entry.action)}</span>
                    <span class="t12 c3 cut">{detailsOf(entry, names)}</span>
                  </span>
                ),
              },
              {
                id: "on",
                title: "On",
                wide: true,
                cell: (entry) => <span class="mono t12 cut">{entry.resource}</span>,
              },
              { id: "ip", title: "From", wide: true, cell: (entry) => entry.ip_address },
            ]}
          />
        )}
        {more && (
          <p class="card-f center-row">
            <Button size="sm" onClick={() => void load(entries ?? [])}>
              Older
            </Button>
          </p>
        )}
      </Card>
    </div>
  );
}
