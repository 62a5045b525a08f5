import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { isAdmin } from "../../client/session.ts";
import { AppTile } from "../templates/app-tile.tsx";
import { actOnApp } from "./app-actions.ts";
import { appState, isBusy, isUp, reachOf } from "./app-state.ts";

/** An app as icon, name and state: a click opens the app itself, or its page where it cannot be opened; the rest is behind its menu. */
export function AppLink({ app }: { app: App }) {
  const { state, word } = appState(app);
  const reach = reachOf(app);
  const runs = isUp(app);
  const opens = runs && reach.kind === "open";
  const away = opens ? { href: reach.url, target: "_blank", rel: "noopener" } : { href: `/apps/${app.id}` };
  return (
    <div class="app">
      <a class="go" {...away}>
        <AppTile app={app} />
        <span class="col">
          <b class="name">{app.display_name}</b>
          <span class={`row state ${state === "crit" || state === "warn" ? state : ""}`}>
            <Glyph state={state} />
            <span class="cut">{word}</span>
          </span>
        </span>
      </a>
      <Menu
        label={`Manage ${app.display_name}`}
        trigger={(props) => <IconButton {...props} size="sm" icon="more" label={`Manage ${app.display_name}`} />}
        items={[
          { label: "Manage", icon: "settings", href: `/apps/${app.id}` },
          ...(isAdmin() ? adminItems(app, runs) : []),
        ]}
      />
    </div>
  );
}

function adminItems(app: App, runs: boolean): MenuItem[] {
  const busy = isBusy(app);
  const log: MenuItem = { label: "See the log", icon: "logs", href: `/apps/${app.id}?tab=logs` };
  if (!runs) return [log, { label: "Start", icon: "play", disabled: busy, run: () => void actOnApp(app, "start") }];
  return [
    log,
    { label: "Restart", icon: "restart", disabled: busy, run: () => void actOnApp(app, "restart") },
    { label: "Stop", icon: "stop", disabled: busy, run: () => void actOnApp(app, "stop") },
  ];
}
