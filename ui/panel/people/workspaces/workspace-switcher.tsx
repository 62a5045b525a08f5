import { useState } from "preact/hooks";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Popover } from "../../../kit/menu.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import type { Workspace } from "../../client/types.ts";
import { roleNames } from "../../parts/roles.ts";
import { NewWorkspace } from "./new-workspace.tsx";
import { switchTo } from "./switch-to.ts";
import { WorkspaceTile } from "./tile.tsx";

/** Which workspace this is; opens the list of the others. */
export function WorkspaceSwitcher() {
  const all = useResource("GET /api/workspaces");
  const [isMaking, setMaking] = useState(false);
  useWish("workspace", () => setMaking(true));
  const name = user.value?.tenant_name ?? "";
  const current = all.data.value?.workspaces.find((workspace) => workspace.current);
  return (
    <>
      <Popover
        role="dialog"
        label="Workspaces"
        trigger={(props) => (
          <button type="button" {...props} class="who">
            <span class="sr">Workspace </span>
            <WorkspaceTile initials={current?.initials ?? ""} color={current?.color ?? "transparent"} />
            <span class="col">
              <b>{name}</b>
              {current !== undefined && <span class="t12 c3">{planOf(current)}</span>}
            </span>
            <Icon name="updown" />
          </button>
        )}
      >
        {(close) => (
          <div class="wslist">
            <Loaded of={all} what="Workspaces">
              {({ workspaces }) => (
                <ul>
                  {workspaces.map((workspace) => (
                    <Entry key={workspace.id} workspace={workspace} close={close} />
                  ))}
                </ul>
              )}
            </Loaded>
            <Button
              kind="ghost"
              icon="plus"
              wide
              onClick={() => {
                close();
                setMaking(true);
              }}
            >
              Add workspace
            </Button>
          </div>
        )}
      </Popover>
      {isMaking && <NewWorkspace onClose={() => setMaking(false)} />}
    </>
  );
}

function Entry({ workspace, close }: { workspace: Workspace; close: () => void }) {
  const isSuspended = workspace.status === "suspended";
  return (
    <li>
      <button
        type="button"
        aria-current={workspace.current}
        disabled={isSuspended}
        onClick={() => {
          close();
          if (!workspace.current) void switchTo(workspace);
        }}
      >
        <WorkspaceTile initials={workspace.initials} color={workspace.color} />
        <span class="col">
          <span class="cut">{workspace.name}</span>
          <span class="t12 c3">{roleNames[workspace.role]}</span>
        </span>
        {isSuspended && <Chip state="warn">Suspended</Chip>}
        {workspace.current && <Icon name="check" />}
      </button>
    </li>
  );
}

function planOf({ plan }: Workspace): string {
  return `${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`;
}
