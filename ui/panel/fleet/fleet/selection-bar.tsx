import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toasts.ts";
import { askCommand } from "../../changes/commands/ask.ts";
import { may } from "../../client/permissions.ts";
import { hasClients } from "../fleet-groups/clients.ts";
import { ask } from "../fleet-groups/node-dialogs.tsx";
import type { FleetFilter } from "./filter.ts";
import { loadAll } from "./select-all.ts";
import { add, drop, selected, selectionLimit } from "./selection.ts";

interface SelectionBarProps {
  filter: FleetFilter;
  /** Nodes of the filter; null before they are known. */
  total: number | null;
}

/** What can be done with all selected nodes at once, and the way to select every node of the filter. */
export function SelectionBar({ filter, total }: SelectionBarProps) {
  const nodes = [...selected.value.values()];
  if (nodes.length === 0) return null;
  const away = nodes.filter(({ health }) => health === "offline").length;
  return (
    <section class="selectionbar" aria-label="Selected nodes">
      <b class="w6" role="status">
        {nodes.length.toLocaleString("en")}
        <span class="no-sm"> selected</span>
      </b>
      {away > 0 && <span class="t13 c3 no-sm">{count(away, "of them is offline", "of them are offline")}</span>}
      {total !== null && total > nodes.length && nodes.length < selectionLimit && (
        <SelectAll key={JSON.stringify(filter)} filter={filter} total={total} />
      )}
      <span class="vr no-sm" />
      {may("fleet:write") && (
        <>
          <Button size="sm" kind="ghost" icon="terminal" onClick={() => askCommand("update", nodes)}>
            Command
          </Button>
          <Button size="sm" kind="ghost" icon="flag" onClick={() => ask("tags", nodes)}>
            Tag
          </Button>
          <Button size="sm" kind="ghost" icon="layers" onClick={() => ask("group", nodes)}>
            Group
          </Button>
          <Button size="sm" kind="ghost" icon="globe" onClick={() => ask("region", nodes)}>
            Region
          </Button>
          {hasClients() && (
            <Button size="sm" kind="ghost" icon="users" onClick={() => ask("client", nodes)}>
              Client
            </Button>
          )}
        </>
      )}
      <IconButton icon="x" size="sm" label="Select none" onClick={() => drop()} />
    </section>
  );
}

/** Selects every node of the filter, with what is loaded so far while that takes its time. */
function SelectAll({ filter, total }: { filter: FleetFilter; total: number }) {
  const [loaded, setLoaded] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const most = Math.min(total, selectionLimit).toLocaleString("en");
  const load = async (): Promise<void> => {
    const mine = new AbortController();
    abort.current = mine;
    setLoaded(0);
    try {
      const rows = await loadAll(filter, mine.signal, setLoaded);
      if (!mine.signal.aborted) add(rows);
    } catch (error) {
      if (!mine.signal.aborted) toast(asProblem(error).message, { state: "crit" });
    }
    setLoaded(null);
  };
  return (
    <Button size="sm" kind="ghost" busy={loaded !== null} onClick={() => void load()}>
      {loaded !== null && `${loaded.toLocaleString("en")} of ${most}`}
      {loaded === null && (total > selectionLimit ? `Select the first ${most}` : `Select all ${most}`)}
    </Button>
  );
}
