import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { navigate } from "../../../client/router.ts";
import type { Command } from "../../../kit/palette.tsx";
import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { actOnApp } from "./app-actions.ts";
import { isBusy, isUp, reachOf } from "./app-state.ts";

const apps = () => resource("GET /api/apps");

/** What can be done with each app. */
export const appsFinder: Finder = {
  order: 10,
  open: () => apps().need(),
  list: () => [
    ...(apps().data.value ?? []).flatMap(verbsOf),
    ...(isAdmin()
      ? [
          placeCommand(
            {
              title: "Settings of apps",
              group: "Settings",
              icon: "apps",
              words: "updates start defaults registry mirror who reaches a new app newer images",
            },
            { address: "/settings", card: "Apps" },
          ),
        ]
      : []),
  ],
};

function verbsOf(app: App): Command[] {
  const name = app.display_name;
  const verb = (id: string, title: string, icon: string, run: () => void): Command => ({
    id: `app-${app.id}-${id}`,
    title: `${title} ${name}`,
    group: "App",
    icon,
    words: app.name,
    run,
  });
  const page = (id: string, title: string, icon: string, tab: string): Command =>
    verb(id, title, icon, () => navigate(`/apps/${app.id}?tab=${tab}`));
  const reach = reachOf(app);
  const open =
    reach.kind === "open"
      ? [verb("open", "Open", "external", () => void window.open(reach.url, "_blank", "noopener"))]
      : [];
  if (!isAdmin()) return open;
  const runs = isUp(app);
  const changes = isBusy(app)
    ? []
    : runs
      ? [
          verb("restart", "Restart", "restart", () => void actOnApp(app, "restart")),
          verb("stop", "Stop", "stop", () => void actOnApp(app, "stop")),
        ]
      : app.status === "stopped"
        ? [verb("start", "Start", "play", () => void actOnApp(app, "start"))]
        : [];
  return [
    ...open,
    ...changes,
    page("logs", "Logs of", "logs", "logs"),
    page("settings", "Settings of", "settings", "settings"),
    page("storage", "Storage of", "disk", "storage"),
  ];
}
