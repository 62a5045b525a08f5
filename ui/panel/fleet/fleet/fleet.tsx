import { useEffect, useState } from "preact/hooks";
import { navigate, query } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Drawer } from "../../../kit/dialog.tsx";
import { useChanges } from "../../client/changes.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { useClientNames } from "../fleet-groups/clients.ts";
import { NodeDialogs } from "../fleet-groups/node-dialogs.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import { type Sort, sortColumns, sortOf, sortText } from "./columns.ts";
import { FacetRail } from "./facet-rail.tsx";
import { type FleetFilter, filterOf, isFiltered, noFilter, tokensOf, toSearch } from "./filter.ts";
import { NoNodes } from "./no-nodes.tsx";
import { NodeList } from "./node-list.tsx";
import { QueryBox } from "./query-box.tsx";
import { drop } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { knownOf } from "./suggest.ts";
import { useList } from "./use-list.ts";
import { SaveView, ViewTabs } from "./views.tsx";

/** All nodes: narrowed by facets and words, sorted by any column, and as they are now. */
export function FleetScreen() {
  const [dialog, show] = useState<"facets" | "save" | null>(null);
  const filter = filterOf(query.value);
  const sort = sortOf(query.value.get("sort"));
  const list = useList(filter, sort);
  const { pages } = list;
  const views = useResource("GET /api/fleet/views");
  const groups = useResource("GET /api/fleet/groups");
  const summary = useResource("GET /api/fleet/summary", { everyMs: 30_000 });
  const total = pages.total.value;
  const latest = pages.latest.value;
  const clients = useClientNames();
  useEffect(() => () => drop(), []);

  const go = (next: FleetFilter, nextSort: Sort = sort): void => {
    navigate(addressOf(next, nextSort), { replace: true });
    if (scrollY > 0) scrollTo(0, 0);
  };
  const facets = <FacetRail facets={latest?.facets ?? null} filter={filter} onFilter={go} clients={clients} />;
  const filters = tokensOf(filter).length;
  const all = summary.data.value?.total_instances ?? null;
  if (total === 0 && !list.isBefore && !isFiltered(filter)) return <FirstOne refresh={pages.refresh} />;
  return (
    <div class="page fleetpage">
      <header class="head">
        <h1>Fleet</h1>
        <span class="t13 c3" role="status">
          {total === null ? "" : countText(total, all)}
        </span>
        <span class="btns">
          <span class="no-sm">
            <LinkButton href="/heatmap" icon="grid">
              Heatmap
            </LinkButton>
          </span>
          {may("fleet:write") && (
            <LinkButton href="/enrol" kind="primary" icon="plus">
              Add node
            </LinkButton>
          )}
        </span>
      </header>
      <div class="qrow">
        <QueryBox
          filter={filter}
          onFilter={go}
          known={knownOf(latest?.facets ?? null, groups.data.value ?? [], clients)}
          clients={clients}
        />
        <Button class="no-rail" icon="filter" onClick={() => show("facets")}>
          {filters === 0 ? "Filters" : `Filters, ${filters} on`}
        </Button>
        <span class="only-phone">
          <Select
            label="Sort by"
            value={sortText(sort)}
            options={phoneSorts}
            onValue={(text) => go(filter, sortOf(text))}
          />
        </span>
        <ColumnChooser views={views} hasClients={latest?.facets.clients !== undefined} />
        <Button class="no-sm" icon="star" onClick={() => show("save")}>
          Save view
        </Button>
      </div>
      <ViewTabs views={views} query={parametersOf(filter, sort)} all={all} />
      <div class="fleet">
        <aside aria-label="Filters">{facets}</aside>
        <NodeList
          list={list}
          sort={sort}
          onSort={(next) => go(filter, next)}
          columns={views.data.value?.columns ?? null}
        >
          <NoMatch onClear={() => go(noFilter)} />
        </NodeList>
      </div>
      <SelectionBar filter={filter} total={total} />
      <NodeDialogs onDone={() => void pages.refresh()} onDeleted={() => void pages.refresh()} />
      {dialog === "facets" && (
        <Drawer title="Filters" onClose={() => show(null)}>
          {facets}
        </Drawer>
      )}
      {dialog === "save" && <SaveView views={views} query={parametersOf(filter, sort)} onClose={() => show(null)} />}
    </div>
  );
}

const phoneSorts = sortColumns.map(({ id, title, falling }) => ({
  value: sortText({ by: id, falling: falling === true }),
  label: title,
}));

/** The query of an address that shows this list; an order by host needs no word. */
function parametersOf(filter: FleetFilter, sort: Sort): string {
  const parameters = toSearch(filter);
  if (sortText(sort) !== "host") parameters.set("sort", sortText(sort));
  return String(parameters);
}

function addressOf(filter: FleetFilter, sort: Sort): string {
  const parameters = parametersOf(filter, sort);
  return parameters === "" ? "/fleet" : `/fleet?${parameters}`;
}

function countText(total: number, all: number | null): string {
  const nodes = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "node" : "nodes"}`;
  return all === null || all <= total ? nodes(total) : `${total.toLocaleString("en")} of ${nodes(all)}`;
}

/** Before the first node; the list begins by itself when it comes. */
function FirstOne({ refresh }: { refresh: () => Promise<void> }) {
  useChanges("fleet", refresh, 1000);
  return (
    <div class="page">
      <NoNodes>Every server of this workspace is listed here, with its state, its place and how busy it is.</NoNodes>
    </div>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title="No node is like that" action={<Button onClick={onClear}>Show all nodes</Button>}>
      Nothing matches all of the filter at once. Take a part of it away.
    </EmptyState>
  );
}
