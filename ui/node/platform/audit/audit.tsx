import type { AuditEntry } from "../../../../src/node/platform/audit/contract.ts";
import { ago, count, moment } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Banner, Card, EmptyState } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Status } from "../../../kit/status.tsx";
import { daySpans, sinceDays } from "../../../parts/day-span.ts";
import { usePaged } from "../../../parts/paged.ts";
import { PagedTable } from "../../../parts/paged-table.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { areas, describe, detailsOf, subjectOf } from "./words.ts";

const pageSize = 50;

/** What happened to accounts, sessions and keys; the newest first, and whether the log is whole. */
export function Audit() {
  const area = query.value.get("area") ?? "";
  const text = query.value.get("q") ?? "";
  const days = query.value.get("days") ?? "";
  const users = useResource("GET /api/users").data.value ?? [];
  const names = new Map(users.map(({ id, username }) => [id, username]));
  const entries = usePaged<AuditEntry>(JSON.stringify([area, text, days]), async (last) => {
    const rows = await api("GET /api/audit/logs", {
      query: {
        limit: pageSize,
        action: area === "" ? undefined : area,
        q: text === "" ? undefined : text,
        from: sinceDays(days),
        cursor: last?.id,
      },
    });
    return { rows, hasMore: rows.length === pageSize };
  });
  return (
    <div class="page">
      <header class="head">
        <h1>Audit log</h1>
        <span class="push searchbox">
          <QuerySearch label="Search name, device or address" value={text} />
        </span>
      </header>
      <SettingsTabs />
      <ChainState />
      <Card
        class="wraphead"
        title="Events"
        actions={
          <>
            <Select
              size="sm"
              label="Time"
              value={days}
              options={daySpans}
              onValue={(next) => setQuery({ days: next })}
            />
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
        <PagedTable
          label="Audit log"
          of={entries}
          empty={
            <EmptyState title="Nothing of this kind">
              Events appear here as they happen and are never removed.
            </EmptyState>
          }
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
                <span class="lines">
                  <span class="w5">{describe(entry.action)}</span>
                  <span class="t12 c3">{detailsOf(entry, names)}</span>
                </span>
              ),
            },
            {
              id: "on",
              title: "On",
              wide: true,
              cell: (entry) => (
                <span class="t12 cut" data-tip={entry.resource}>
                  {subjectOf(entry, names)}
                </span>
              ),
            },
            { id: "ip", title: "From", wide: true, cell: (entry) => entry.ip_address },
          ]}
        />
      </Card>
    </div>
  );
}

/** Whether every entry still fits the one before it: what was written cannot be changed unnoticed. */
function ChainState() {
  const check = useResource("GET /api/audit/check");
  const found = check.data.value;
  if (found === null) {
    return (
      <p class="t13 c3">
        {check.problem.value === null
          ? "Checking the log…"
          : `The log could not be checked: ${check.problem.value.message}`}
      </p>
    );
  }
  if (found.ok)
    return <Status state="ok">Unbroken: {count(found.entries, "entry", "entries")}, each sealed by the next</Status>;
  return (
    <Banner state="crit">
      {found.broken_at === null
        ? "The newest entries are missing. Somebody has cut the log."
        : `The log was changed at entry ${found.broken_at}. What is older is sound, what is newer may not be.`}
    </Banner>
  );
}
