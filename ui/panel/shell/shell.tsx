import { Frame } from "../../shell/frame.tsx";
import { user } from "../client/session.ts";
import { groups, screens } from "../screens.ts";
import { Account } from "./account.tsx";
import { Palette } from "./palette.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

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
      palette={(layer) => <Palette {...layer} />}
      head={<WorkspaceSwitcher />}
      foot={<p class="foot">Orrery panel</p>}
      more={<WorkspaceSwitcher />}
      tools={<Account />}
    />
  );
}
