import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Search } from "../../../kit/field.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { RuntimeBanner } from "../runtime/runtime-banner.tsx";
import { Featured } from "./featured.tsx";
import { filterTemplates } from "./filter.ts";
import { InstallDialog } from "./install-dialog.tsx";
import { TemplateCard } from "./template-card.tsx";
import { TemplateDrawer } from "./template-drawer.tsx";

/** The catalogue: find an app, read about it, check and install it. */
export function Store() {
  const templates = useResource("GET /api/templates");
  const categories = useResource("GET /api/templates/categories");
  const installing = isAdmin() ? query.value.get("install") : null;
  const install = (name: string): void => setQuery({ install: name, restore: null });
  const search = query.value.get("q") ?? "";
  const category = query.value.get("category");
  const shown = query.value.get("app");
  const list = templates.data.value ?? [];
  return (
    <div class="page">
      <header class="head">
        <h1>App store</h1>
        {list.length > 0 && <span class="t13 c3 no-sm">{list.length} apps</span>}
        <span class="push searchbox">
          <Search label="Search apps" value={search} onValue={(value) => setQuery({ q: value })} />
        </span>
      </header>
      <RuntimeBanner />
      <div class="store">
        <nav class="cats" aria-label="Categories">
          <Category
            name="All"
            count={list.length}
            current={category === null}
            onPick={() => setQuery({ category: null })}
          />
          {(categories.data.value ?? []).map((item) => (
            <Category
              key={item.id}
              name={item.name}
              count={item.count}
              current={category === item.id}
              onPick={() => setQuery({ category: item.id })}
            />
          ))}
        </nav>
        <div class="stack">
          {search === "" && category === null && <Featured onInstall={install} />}
          <Loaded of={templates} what="Catalogue" skeleton={<Skeleton rows={6} tile height={600} />}>
            {(all) => {
              const found = filterTemplates(all, { search, category });
              const heading =
                category === null
                  ? "All apps"
                  : (categories.data.value?.find((item) => item.id === category)?.name ?? category);
              return (
                <>
                  <div class="row">
                    <h2 class="t16">{search === "" ? heading : `${found.length} found`}</h2>
                    <span class="t13 c3">{search === "" ? found.length : ""}</span>
                  </div>
                  <Grid templates={found} onInstall={install} />
                </>
              );
            }}
          </Loaded>
        </div>
      </div>
      {shown !== null && installing === null && (
        <TemplateDrawer name={shown} onInstall={() => install(shown)} onClose={() => setQuery({ app: null })} />
      )}
      {installing !== null && (
        <InstallDialog
          key={installing}
          name={installing}
          restore={query.value.get("restore") ?? undefined}
          onClose={() => setQuery({ install: null, restore: null })}
        />
      )}
    </div>
  );
}

function Grid({ templates, onInstall }: { templates: Template[]; onInstall: (name: string) => void }) {
  if (templates.length === 0) {
    return (
      <EmptyState
        title="No app by that name"
        action={<Button onClick={() => setQuery({ q: null, category: null })}>Show all apps</Button>}
      >
        Try a shorter word, or look through the categories.
      </EmptyState>
    );
  }
  return (
    <ul class="shopgrid">
      {templates.map((template) => (
        <li key={template.name}>
          <TemplateCard template={template} onInstall={() => onInstall(template.name)} />
        </li>
      ))}
    </ul>
  );
}

function Category({
  name,
  count,
  current,
  onPick,
}: {
  name: string;
  count: number;
  current: boolean;
  onPick: () => void;
}) {
  return (
    <button type="button" aria-pressed={current} onClick={onPick}>
      {name}
      <span>{count}</span>
    </button>
  );
}
