import { look, setLook } from "../../client/preferences.ts";
import { navigate } from "../../client/router.ts";
import { type Command, CommandPalette } from "../../kit/palette.tsx";
import { menuOf } from "../../shell/screens.ts";
import { may } from "../client/permissions.ts";
import { resource } from "../client/resource.ts";
import { signOut } from "../client/session.ts";
import { switchTo } from "../parts/switch-to.ts";
import { screens } from "../screens.ts";

/** Everything that can be reached by name: pages, workspaces, actions. */
export function Palette({ onClose, onSheet }: { onClose: () => void; onSheet: () => void }) {
  const workspaces = resource("GET /api/workspaces").data.value?.workspaces ?? [];
  const other = look.value.theme === "dark" ? "light" : "dark";
  const commands: Command[] = [
    ...menuOf(screens).map((screen) => ({
      id: screen.id,
      title: screen.title,
      group: "Page",
      icon: screen.icon,
      keys: `g ${screen.nav.key}`,
      run: () => navigate(screen.pattern),
    })),
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
    {
      id: "theme",
      title: `Switch to ${other}`,
      group: "Appearance",
      icon: other === "dark" ? "moon" : "sun",
      words: "theme",
      run: () => setLook({ theme: other }),
    },
    { id: "keys", title: "Keyboard shortcuts", group: "Help", icon: "keyboard", keys: "?", run: onSheet },
    { id: "profile", title: "Profile", group: "Account", icon: "user", run: () => navigate("/profile") },
    {
      id: "signout",
      title: "Sign out",
      group: "Account",
      icon: "logout",
      words: "log out leave",
      run: () => void signOut(),
    },
  ];
  return <CommandPalette commands={commands} onClose={onClose} />;
}
