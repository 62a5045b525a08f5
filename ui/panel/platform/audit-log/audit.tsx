import { useState } from "preact/hooks";
import type { AuditEntry } from "../../../../src/panel/platform/audit-log/contract.ts";
import { ago, day, moment } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import type { Column } from "../../../kit/table.tsx";
import { daySpans, sinceDays } from "../../../parts/day-span.ts";
import { ExportButton } from "../../../parts/export-button.tsx";
import { usePaged } from "../../../parts/paged.ts";
import { PagedTable } from "../../../parts/paged-table.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { nodePath } from "../../fleet/fleet/node-row.tsx";
import { useClientNames } from "../../fleet/fleet-groups/clients.ts";
import { exportAudit } from "./csv.ts";
import { actorText, areas, describe, detailsText, isNode, subjectText, whoAndWhat } from "./words.ts";

const pageSize = 50;

/** Who did what in this workspace, the newest first. */
export function Audit() {
  const read = (name: string): string => query.value.get(name) ?? "";
  const [area, actor, days, text] = [read("area"), read("actor"), read("days"), read("q")];
  const isFiltered = [area, actor, days, text].some((wish) => wish !== "");
  const since = sinceDays(days);
  const question = {
    ...(area === "" ? {} : { action: area }),
    ...(actor === "" ? {} : { actor }),
    ...(text === "" ? {} : { q: text }),
    ...(since === undefined ? {} : { from: since }),
  };
  const [keptSince, setKeptSince] = useState<string | null>(null);
  const entries = usePaged<AuditEntry>(JSON.stringify([area, actor, days, text]), async (last) => {
    const asked = { ...question, limit: pageSize, ...(last === null ? {} : { cursor: last.id }) };
    const page = await api("GET /api/audit/logs", { query: asked });
    setKeptSince(page.kept_since);
    return { rows: page.entries, hasMore: page.next_cursor !== null };
  });
  return (
    <div class="page">
      <header class="head">
        <h1>Audit log</h1>
        <span class="push searchbox">
          <QuerySearch label="Search node, detail or address" value={text} />
        </span>
        <ExportButton run={() => exportAudit(question)} disabled={(entries.rows?.length ?? 0) === 0} />
      </header>
      <Card
        class="wraphead"
        title="Events"
        actions={
          <>
            <Who value={actor} />
            <Select size="sm" label="What" value={area} options={areas} onValue={(next) => setQuery({ area: next })} />
            <Select
              size="sm"
              label="When"
              value={days}
              options={daySpans}
              onValue={(next) => setQuery({ days: next })}
            />
          </>
        }
      >
        <PagedTable
          label="Audit log"
          of={entries}
          columns={columns}
          empty={
            isFiltered ? (
              <EmptyState title="Nothing of this kind" action={<LinkButton href="/audit">Show everything</LinkButton>}>
                No event fits all that was asked for.
              </EmptyState>
            ) : (
              <EmptyState title="Nothing has happened yet">
                Whatever people, and nodes that join, do in this workspace appears here.
              </EmptyState>
            )
          }
        />
        {keptSince !== null && <p class="card-f t12 c3">This log tells of everything since {day(keptSince)}.</p>}
      </Card>
    </div>
  );
}

/** Who can have done something: members, also those without access now, nodes, and whoever holds the panel's host. */
function Who({ value }: { value: string }) {
  const team = useResource("GET /api/team/members").data.value ?? [];
  const options = [
    { value: "", label: "Anyone" },
    ...team.map(({ id, display_name }) => ({ value: id, label: display_name })),
    { value: "agent", label: "Nodes" },
    { value: "directory", label: "Directory of the company" },
    { value: "operator", label: "Operator of the panel" },
    { value: "panel", label: "The panel by itself" },
    { value: "visitor", label: "Somebody not signed in" },
  ];
  return <Select size="sm" label="Who" value={value} options={options} onValue={(next) => setQuery({ actor: next })} />;
}

const columns: Column<AuditEntry>[] = [
  {
    id: "at",
    title: "When",
    cell: (entry) => (
      <time class="nowrap" dateTime={entry.timestamp} data-tip={moment(entry.timestamp)}>
        {ago(entry.timestamp)}
      </time>
    ),
  },
  {
    id: "what",
    title: "What",
    cell: (entry) => (
      <span class="lines">
        <span class="w5">{describe(entry.action)}</span>
        <span class="t12 c3 only-sm">{whoAndWhat(entry)}</span>
        <Details entry={entry} />
      </span>
    ),
  },
  { id: "on", title: "On", wide: true, cell: (entry) => <Subject entry={entry} /> },
  { id: "who", title: "Who", wide: true, cell: (entry) => actorText(entry.actor) },
  { id: "ip", title: "From", wide: true, cell: (entry) => entry.ip_address },
];

function Subject({ entry }: { entry: AuditEntry }) {
  const text = subjectText(entry);
  if (!isNode(entry) || entry.subject.name === null) return <>{text === "" ? wholeOf(entry.action) : text}</>;
  return (
    <a class="link" href={nodePath(entry.subject.id)}>
      {text}
    </a>
  );
}

const wholeOf = (action: string): string => (action.startsWith("account.") ? "Their account" : "The workspace");

/** The line below, with names of clients and groups that it may speak of. */
function Details({ entry }: { entry: AuditEntry }) {
  const groups = useResource("GET /api/fleet/groups").data.value ?? [];
  const names = new Map([...useClientNames(), ...groups.map(({ id, name }) => [id, name] as const)]);
  const text = detailsText(entry, names);
  return text === "" ? null : <span class="t12 c3">{text}</span>;
}
