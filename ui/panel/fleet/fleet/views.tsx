import { useState } from "preact/hooks";
import type { SavedView, SavedViews } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import type { Resource } from "../../../client/resource.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useViewCounts } from "./view-counts.ts";

/** What the views of a person are, from the server. */
export type Views = Resource<SavedViews>;

async function keep(views: Views, next: SavedView[]): Promise<void> {
  const kept = await api("PUT /api/fleet/views", { body: { views: next } });
  views.set(() => kept);
}

/** The lists that somebody has saved, as tabs with the number of nodes in each; the one that is shown can be deleted. */
export function ViewTabs({ views, query, all }: { views: Views; query: string; all: number | null }) {
  const list = views.data.value?.views ?? [];
  const counts = useViewCounts(list);
  if (list.length === 0) return null;
  const current = list.find((view) => view.query === query);
  const remove = async (): Promise<void> => {
    if (current === undefined) return;
    const putBack = async (): Promise<void> => {
      // Other views may have been saved meanwhile.
      const now = (views.data.peek()?.views ?? []).filter(({ name }) => name !== current.name);
      await keep(views, now.toSpliced(list.indexOf(current), 0, current)).catch(() =>
        toast("The view could not be put back.", { state: "crit" }),
      );
    };
    await keep(
      views,
      list.filter((view) => view !== current),
    ).then(
      () => toast(`The view “${current.name}” is gone.`, { action: { label: "Undo", run: () => void putBack() } }),
      () => toast("The view could not be removed.", { state: "crit" }),
    );
  };
  return (
    <div class="viewtabs">
      <nav class="tabs" aria-label="Saved views">
        <a href="/fleet" aria-current={query === "" ? "page" : undefined}>
          All nodes
          <Count of={all} />
        </a>
        {list.map((view) => (
          <a key={view.name} href={`/fleet?${view.query}`} aria-current={view === current ? "page" : undefined}>
            {view.name}
            <Count of={counts.get(view.query) ?? null} />
          </a>
        ))}
      </nav>
      {current !== undefined && (
        <Menu
          label={`View ${current.name}`}
          trigger={(props) => (
            <IconButton {...props} icon="more" size="sm" label={`Actions for the view ${current.name}`} />
          )}
          items={[{ label: "Remove this view", icon: "trash", run: () => void remove() }]}
        />
      )}
    </div>
  );
}

function Count({ of }: { of: number | null }) {
  return of === null ? null : <span class="n">{of.toLocaleString("en")}</span>;
}

/** Keeps the shown list under a name; a name that is taken gets the new list. */
export function SaveView({ views, query, onClose }: { views: Views; query: string; onClose: () => void }) {
  const [name, setName] = useState("");
  const attempt = useAttempt();
  const list = views.data.value?.views ?? [];
  const taken = list.some((view) => view.name === name.trim());
  const save = async (): Promise<void> => {
    const view = { name: name.trim(), query };
    const next = taken ? list.map((one) => (one.name === view.name ? view : one)) : [...list, view];
    if (!(await attempt.send(() => keep(views, next)))) return;
    onClose();
    toast(`The view “${view.name}” is kept.`);
  };
  return (
    <FormDialog
      title="Save this view"
      sub="The filter and the order, for you alone"
      action={taken ? "Replace" : "Save"}
      ready={name.trim() !== ""}
      attempt={attempt}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Input
        label="Name"
        value={name}
        onValue={setName}
        autocomplete="off"
        hint={taken ? "There is a view of this name; it will show this list instead." : null}
      />
    </FormDialog>
  );
}
