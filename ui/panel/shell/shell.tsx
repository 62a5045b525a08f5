import { Badge } from "../../kit/status.tsx";
import { Frame } from "../../shell/frame.tsx";
import { useResource } from "../client/resource.ts";
import { user } from "../client/session.ts";
import { WorkspaceSwitcher } from "../people/workspaces/workspace-switcher.tsx";
import { groups, screens } from "../screens.ts";
import { Account } from "./account.tsx";
import { Palette } from "./palette.tsx";

const denied = {
  title: "Not for your role",
  text: "Your role in this workspace does not include this page. Ask one of its owners.",
};

/** The frame with the panel's menu, workspaces and account. */
export function Shell() {
  return (
    <Frame
      screens={screens}
      groups={groups}
      tabs={["overview", "fleet", "heatmap"]}
      place={user.value?.tenant_name ?? "Orrery"}
      denied={denied}
      badge={(id) => id === "fleet" && <NodeCount />}
      palette={(layer) => <Palette {...layer} />}
      head={<WorkspaceSwitcher />}
      foot={<p class="foot">Orrery panel</p>}
      more={<WorkspaceSwitcher />}
      tools={<Account />}
    />
  );
}

/** How many nodes there are; in red how many of them are offline. */
function NodeCount() {
  const summary = useResource("GET /api/fleet/summary", { everyMs: 30_000 }).data.value;
  if (summary === null || summary.total_instances === 0) return null;
  if (summary.offline > 0) {
    return (
      <Badge tone="crit">
        {summary.offline.toLocaleString("en")}
        <span class="sr"> offline</span>
      </Badge>
    );
  }
  return <Badge>{summary.total_instances.toLocaleString("en")}</Badge>;
}
