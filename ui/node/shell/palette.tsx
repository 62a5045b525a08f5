import { look, setLook } from "../../client/preferences.ts";
import { navigate } from "../../client/router.ts";
import { type Command, CommandPalette } from "../../kit/palette.tsx";
import { menuOf } from "../../shell/screens.ts";
import { resource, useResource } from "../client/resource.ts";
import { lockSession, signOut } from "../client/session.ts";
import { screens } from "../screens.ts";

/** Everything that can be reached by name: pages, apps, the catalogue, actions. */
export function Palette({ onClose, onSheet }: { onClose: () => void; onSheet: () => void }) {
  const templates = useResource("GET /api/templates").data.value ?? [];
  const apps = resource("GET /api/apps").data.value ?? [];
  const installed = new Set(apps.map((app) => app.template));
  const commands: Command[] = [
    ...apps.map((app) => ({
      id: `app-${app.id}`,
      title:
        apps.filter((other) => other.display_name === app.display_name).length > 1
          ? `${app.display_name} (${app.name})`
          : app.display_name,
      words: app.name,
      group: "App",
      icon: app.icon,
      run: () => navigate(`/apps/${app.id}`),
    })),
    ...menuOf(screens).map((screen) => ({
      id: screen.id,
      title: screen.title,
      group: "Page",
      icon: screen.icon,
      keys: `g ${screen.nav.key}`,
      run: () => navigate(screen.pattern),
    })),
    ...actions(onSheet),
    ...templates
      .filter((template) => !installed.has(template.name))
      .map((template) => ({
        id: `template-${template.name}`,
        title: template.display_name,
        group: "App store",
        icon: template.icon,
        words: `${template.category} ${template.tagline ?? template.description} install`,
        run: () => navigate(`/store?app=${template.name}`),
      })),
  ];
  return <CommandPalette commands={commands} onClose={onClose} />;
}

function actions(onSheet: () => void): Command[] {
  const other = look.value.theme === "dark" ? "light" : "dark";
  return [
    {
      id: "theme",
      title: `Switch to ${other}`,
      group: "Appearance",
      icon: other === "dark" ? "moon" : "sun",
      words: "theme",
      run: () => setLook({ theme: other }),
    },
    { id: "keys", title: "Keyboard shortcuts", group: "Help", icon: "keyboard", keys: "?", run: onSheet },
    {
      id: "lock",
      title: "Lock",
      group: "Account",
      icon: "lock",
      keys: "Shift L",
      words: "away leave screen",
      run: () => void lockSession(),
    },
    {
      id: "signout",
      title: "Sign out",
      group: "Account",
      icon: "logout",
      words: "log out leave",
      run: () => void signOut(),
    },
  ];
}
