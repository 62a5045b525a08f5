import { navigate } from "../../client/router.ts";
import { type Command, CommandPalette } from "../../kit/palette.tsx";
import { pageActions, pageCommands, signOutCommand } from "../../shell/common-commands.ts";
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
    ...pageCommands(screens),
    ...pageActions(onSheet),
    lock,
    signOutCommand(signOut),
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

const lock: Command = {
  id: "lock",
  title: "Lock",
  group: "Account",
  icon: "lock",
  keys: "Shift L",
  words: "away leave screen",
  run: () => void lockSession(),
};
