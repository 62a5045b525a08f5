import { query, setQuery } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Search } from "../../../kit/field.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { RuntimeBanner } from "../runtime/runtime-banner.tsx";
import { AppRow } from "./app-row.tsx";
import { KeptData } from "./kept-data.tsx";

const filters: { value: "all" | "running" | "attention"; label: string }[] = [
  { value: "all", label: "All" },
  { value: "running", label: "Running" },
  { value: "attention", label: "Not running" },
];

/** Every app: open, start, stop, find. */
export function Apps() {
  const apps = useResource("GET /api/apps");
  const search = query.value.get("q") ?? "";
  const show = filters.find((filter) => filter.value === query.value.get("show"))?.value ?? "all";
  return (
    <div class="page">
      <header class="head">
        <h1>Apps</h1>
        <div class="btns push">
          <Segmented
            label="Show"
            value={show}
            options={filters}
            onValue={(value) => setQuery({ show: value === "all" ? null : value })}
          />
          <Search label="Find an app" value={search} onValue={(value) => setQuery({ q: value })} />
          {isAdmin() && (
            <LinkButton href="/store" kind="primary" icon="plus">
              Install
            </LinkButton>
          )}
        </div>
      </header>
      <RuntimeBanner />
      <section class="card" aria-label="Apps">
        <Loaded of={apps} what="Apps" skeleton={<Skeleton rows={5} tile />}>
          {(list) => {
            if (list.length === 0) {
              return (
                <EmptyState
                  title="Nothing in orbit yet"
                  action={isAdmin() && <LinkButton href="/store">Open the store</LinkButton>}
                >
                  {isAdmin()
                    ? "Install your first app and it appears here."
                    : "Apps appear here once an administrator installs them."}
                </EmptyState>
              );
            }
            const found = list.filter(
              (app) =>
                `${app.display_name} ${app.name} ${app.category}`.toLowerCase().includes(search.toLowerCase()) &&
                (show === "all" || (app.status === "running") === (show === "running")),
            );
            if (found.length === 0)
              return (
                <EmptyState title="No app fits">
                  Change the search or the filter to see more of your {list.length} apps.
                </EmptyState>
              );
            return (
              <ul class="rows">
                {found.map((app) => (
                  <AppRow key={app.id} app={app} />
                ))}
              </ul>
            );
          }}
        </Loaded>
      </section>
      {isAdmin() && <KeptData />}
    </div>
  );
}
