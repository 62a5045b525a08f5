import type { Instance } from "../../../../src/panel/features/fleet/contract.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { may } from "../../client/permissions.ts";
import { ask } from "../actions/node-dialogs.tsx";
import { openNode } from "../actions/open-node.ts";

/** What can be done with a node, for those who may. */
export function nodeItems(row: Instance): MenuItem[] {
  if (!may("fleet:write")) return [];
  return [
    {
      label: "Open this server",
      icon: "external",
      disabled: row.health === "offline",
      run: () => void openNode(row.id),
    },
    { label: "Region…", icon: "globe", run: () => ask("region", [row]) },
    { label: "Group…", icon: "layers", run: () => ask("group", [row]) },
    { label: "Tags…", icon: "flag", run: () => ask("tags", [row]) },
    { label: "Delete…", icon: "trash", danger: true, run: () => ask("delete", [row]) },
  ];
}

/** The actions of a row. */
export function RowMenu({ row }: { row: Instance }) {
  const items = nodeItems(row);
  if (items.length === 0) return null;
  return (
    <Menu
      label={`Actions for ${row.hostname}`}
      trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`Actions for ${row.hostname}`} />}
      items={items}
    />
  );
}
