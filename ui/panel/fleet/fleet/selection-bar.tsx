import { count } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { may } from "../../client/permissions.ts";
import { hasClients } from "../fleet-groups/clients.ts";
import { ask } from "../fleet-groups/node-dialogs.tsx";
import { drop, selected } from "./selection.ts";

/** What can be done with all selected nodes at once. */
export function SelectionBar() {
  const nodes = [...selected.value.values()];
  if (nodes.length === 0) return null;
  const away = nodes.filter(({ health }) => health === "offline").length;
  return (
    <section class="selectionbar" aria-label="Selected nodes">
      <b class="w6" role="status">
        {nodes.length}
        <span class="no-sm"> selected</span>
      </b>
      {away > 0 && <span class="t13 c3 no-sm">{count(away, "of them is offline", "of them are offline")}</span>}
      <span class="vr no-sm" />
      {may("fleet:write") && (
        <>
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
