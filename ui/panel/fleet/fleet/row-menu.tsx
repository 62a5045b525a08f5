import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { navigate } from "../../../client/router.ts";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { askCommand } from "../../changes/commands/ask.ts";
import { may } from "../../client/permissions.ts";
import { hasClients } from "../fleet-groups/clients.ts";
import { ask } from "../fleet-groups/node-dialogs.tsx";
import { openNode } from "../oauth/open-node.ts";

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
    { label: "Logs", icon: "logs", run: () => navigate(`/nodes/${row.id}/logs`) },
    ...(may("fleet:shell", { ownRole: true })
      ? [{ label: "Recordings", icon: "clock" as const, run: () => navigate(`/nodes/${row.id}/recordings`) }]
      : []),
    { label: "Send a command…", icon: "terminal", run: () => askCommand("update", [row]) },
    { label: "Region…", icon: "globe", run: () => ask("region", [row]) },
    ...(hasClients() || row.msp_client_id !== null
      ? [{ label: "Client…", icon: "users" as const, run: () => ask("client", [row]) }]
      : []),
    { label: "Group…", icon: "layers", run: () => ask("group", [row]) },
    { label: "Tags…", icon: "flag", run: () => ask("tags", [row]) },
    ...(row.health === "offline"
      ? []
      : [{ label: "Mark as offline…", icon: "moon" as const, run: () => ask("offline", [row]) }]),
    { label: "Delete…", icon: "trash", danger: true, run: () => ask("delete", [row]) },
  ];
}

/** The one menu of all rows, and the way to open it beside the button of a row. */
export function useRowMenu() {
  const row = useSignal<Instance | null>(null);
  const trigger = useRef({ id: "", onClick: (): void => {} });
  const open = (of: Instance, button: HTMLElement): void => {
    row.value = of;
    // The menu stands beside, and gives the focus back to, the element that has its id.
    document.getElementById(trigger.current.id)?.removeAttribute("id");
    button.id = trigger.current.id;
    trigger.current.onClick();
  };
  const menu = (
    <Menu
      label={row.value === null ? "Actions" : `Actions for ${row.value.hostname}`}
      trigger={(props) => {
        trigger.current = props;
        return null;
      }}
      items={row.value === null ? [] : nodeItems(row.value)}
    />
  );
  return { open, menu };
}
