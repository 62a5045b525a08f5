import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { switchTo } from "./switch-to.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

/** The workspaces that somebody is in. */
export const workspacesFeature: Feature = {
  head: WorkspaceSwitcher,
  commands: {
    order: 110,
    use: () =>
      (resource("GET /api/workspaces").data.value?.workspaces ?? [])
        .filter((workspace) => !workspace.current && workspace.status === "active")
        .map((workspace) => ({
          id: `workspace-${workspace.id}`,
          title: `Switch to ${workspace.name}`,
          group: "Workspace",
          icon: "layers",
          run: () => void switchTo(workspace),
        })),
  },
};
