import { navigate } from "../../client/router.ts";
import { type Command, CommandPalette } from "../../kit/palette.tsx";
import { pageActions, pageCommands, signOutCommand } from "../../shell/common-commands.ts";
import { may } from "../client/permissions.ts";
import { resource } from "../client/resource.ts";
import { signOut } from "../client/session.ts";
import { switchTo } from "../people/workspaces/switch-to.ts";
import { screens } from "../screens.ts";

/** Everything that can be reached by name: pages, workspaces, actions. */
export function Palette({ onClose, onSheet }: { onClose: () => void; onSheet: () => void }) {
  const workspaces = resource("GET /api/workspaces").data.value?.workspaces ?? [];
  const commands: Command[] = [
    ...pageCommands(screens),
    ...workspaces
      .filter((workspace) => !workspace.current && workspace.status === "active")
      .map((workspace) => ({
        id: `workspace-${workspace.id}`,
        title: `Switch to ${workspace.name}`,
        group: "Workspace",
        icon: "layers" as const,
        run: () => void switchTo(workspace),
      })),
    ...(may("fleet:write")
      ? [
          {
            id: "enrol",
            title: "Add a node",
            group: "Fleet",
            icon: "plus" as const,
            words: "enrol server connect",
            run: () => navigate("/enrol"),
          },
        ]
      : []),
    ...pageActions(onSheet),
    { id: "profile", title: "Profile", group: "Account", icon: "user", run: () => navigate("/profile") },
    signOutCommand(signOut),
  ];
  return <CommandPalette commands={commands} onClose={onClose} />;
}
