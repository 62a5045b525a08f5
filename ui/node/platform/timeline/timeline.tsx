import { count, moment } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { ExportButton } from "../../../parts/export-button.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { useResource } from "../../client/resource.ts";
import { exportCsv } from "./csv.ts";
import { Days } from "./entries.tsx";
import { type Filter, toQuery, useStream } from "./stream.ts";
import { categories } from "./words.ts";

/** What happened on this server, day by day. */
export function Timeline() {
  const read = (name: string): string => query.value.get(name) ?? "";
  const filter = { category: read("category"), q: read("q"), from: read("from"), to: read("to") };
  const { entries, problem, hasOlder, reload, older } = useStream(filter);
  const isFiltered = Object.keys(toQuery(filter)).length > 0;
  return (
    <div class="page">
      <header class="head">
        <h1>Timeline</h1>
        <span class="push">
          <ExportButton run={() => exportCsv(filter)} disabled={entries === null || entries.length === 0} />
        </span>
      </header>
      <Filters filter={filter} />
      {problem !== null && entries === null ? (
        <Card>
          <ProblemCard problem={problem} what="Timeline" retry={() => void reload()} />
        </Card>
      ) : entries === null ? (
        <Card>
          <Skeleton rows={8} />
        </Card>
      ) : entries.length === 0 ? (
        <Card>
          <EmptyState
            title={isFiltered ? "Nothing of this kind" : "Nothing has happened yet"}
            action={isFiltered ? <LinkButton href="/timeline">Show everything</LinkButton> : undefined}
          >
            {isFiltered
              ? "No entry fits what you are looking for."
              : "Starts, crashes, sign-ins, warnings and updates appear here as they happen."}
          </EmptyState>
        </Card>
      ) : (
        <div class={problem === null ? "timeline" : "timeline stale"}>
          <Days entries={entries} />
        </div>
      )}
      {hasOlder && (
        <p class="center-row">
          <Button size="sm" onClick={older}>
            Older
          </Button>
        </p>
      )}
    </div>
  );
}

function Filters({ filter }: { filter: Filter }) {
  const { category, q, from, to } = filter;
  const chosen = category === "" ? [] : category.split(",");
  const stats = useResource("GET /api/timeline/stats", {
    query: toQuery({ category: "", q, from, to }),
    everyMs: 60_000,
  }).data.value;
  const toggle = (id: string): void => {
    const next = chosen.includes(id) ? chosen.filter((item) => item !== id) : [...chosen, id];
    setQuery({ category: next.length === categories.length ? null : next.join(",") });
  };
  return (
    <div class="tlfilters">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row. */}
      <div class="chips" role="group" aria-label="Kinds of events">
        {categories.map(({ id, label, icon }) => (
          <button
            type="button"
            key={id}
            class={`chip pick ${chosen.includes(id) ? "on" : ""}`}
            aria-pressed={chosen.includes(id)}
            onClick={() => toggle(id)}
          >
            <Icon name={icon} />
            {label}
            {stats !== null && <span class="n">{stats[id].toLocaleString("en")}</span>}
          </button>
        ))}
      </div>
      <span class="searchbox">
        <QuerySearch label="Search in titles" value={q} />
      </span>
      {(from !== "" || to !== "") && (
        <p class="row t13 c2">
          {span(from, to)}
          <Button size="sm" kind="ghost" onClick={() => setQuery({ from: null, to: null })}>
            Any time
          </Button>
        </p>
      )}
      <p class="sr" role="status">
        {stats === null
          ? ""
          : count(
              Object.values(stats).reduce((sum, number) => sum + number, 0),
              "entry",
              "entries",
            )}
      </p>
    </div>
  );
}

/** The time that is looked at, in words. */
function span(from: string, to: string): string {
  if (to === "") return `Since ${moment(from)}`;
  return from === "" ? `Until ${moment(to)}` : `From ${moment(from)} to ${moment(to)}`;
}
