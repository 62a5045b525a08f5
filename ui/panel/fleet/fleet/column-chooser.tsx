import type { ColumnName } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { Popover } from "../../../kit/menu.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { listColumns, usualColumns } from "./columns.ts";
import { roomless } from "./use-columns.ts";
import type { Views } from "./views.tsx";

/** Which columns the list shows; each press counts at once, and is kept for this person. */
export function ColumnChooser({ views, hasClients }: { views: Views; hasClients: boolean }) {
  const kept = views.data.value;
  const chosen = kept?.columns ?? usualColumns;
  const choose = async (columns: ColumnName[] | null): Promise<void> => {
    if (kept === null) return;
    views.set((now) => now && { ...now, columns });
    try {
      await api("PUT /api/fleet/views", { body: { views: kept.views, columns } });
    } catch (error) {
      views.set(() => kept);
      toast(`The columns could not be kept: ${asProblem(error).message}`, { state: "crit" });
    }
  };
  const offered = listColumns.filter(({ id }) => id !== "client" || hasClients);
  return (
    <Popover
      role="dialog"
      label="Columns"
      trigger={(props) => (
        <IconButton {...props} kind="default" icon="table" label="Columns" disabled={kept === null} />
      )}
    >
      {() => (
        <div class="columnlist">
          {offered.map(({ id, title }) => (
            <Checkbox
              key={id}
              checked={chosen.includes(id)}
              onChecked={(on) =>
                void choose(listColumns.map((one) => one.id).filter((one) => (one === id ? on : chosen.includes(one))))
              }
            >
              {title}
              {roomless.value.includes(id) && <span class="c3"> (no room here)</span>}
            </Checkbox>
          ))}
          <Button
            size="sm"
            kind="ghost"
            disabled={kept === null || kept.columns === null}
            onClick={() => void choose(null)}
          >
            Usual columns
          </Button>
        </div>
      )}
    </Popover>
  );
}
