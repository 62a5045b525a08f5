import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { duration } from "../../../client/format.ts";
import { IconButton, LinkButton } from "../../../kit/button.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { isAdmin } from "../../client/session.ts";
import { AppTile } from "../templates/app-tile.tsx";
import { actOnApp } from "./app-actions.ts";
import { appState, isBusy, reachOf } from "./app-state.ts";

/** An app in a list, with what can be done at once. */
export function AppRow({ app }: { app: App }) {
  const { state, word } = appState(app);
  const reach = reachOf(app);
  return (
    <li class="item approw">
      <a class="body row main-link" href={`/apps/${app.id}`}>
        <AppTile app={app} />
        <span class="col">
          <b class="title cut">
            {app.display_name} {app.update !== null && <Chip state="acc">Update {app.update}</Chip>}
          </b>
          <span class="sub cut">{app.cause ?? `${app.name}, version ${app.version}`}</span>
        </span>
      </a>
      <span class="col state-col">
        <Status state={state}>{word}</Status>
        {app.status === "running" && app.started_at !== null && (
          <span class="t12 c3 no-sm">for {duration((Date.now() - Date.parse(app.started_at)) / 1000)}</span>
        )}
      </span>
      <span class="row acts">
        {app.status === "running" && reach.kind === "open" && (
          <LinkButton href={reach.url} size="sm" icon="external" external>
            Open
          </LinkButton>
        )}
        {isAdmin() && <Power app={app} />}
      </span>
    </li>
  );
}

function Power({ app }: { app: App }) {
  if (app.status === "error" && app.installed_at === null)
    return (
      <IconButton
        size="sm"
        icon="restart"
        label={`Install ${app.display_name} again`}
        onClick={() => void actOnApp(app, "retry")}
      />
    );
  if (app.status === "stopped" || app.status === "error")
    return (
      <IconButton
        size="sm"
        icon="play"
        label={`Start ${app.display_name}`}
        onClick={() => void actOnApp(app, "start")}
      />
    );
  return (
    <IconButton
      size="sm"
      icon="stop"
      label={`Stop ${app.display_name}`}
      disabled={isBusy(app)}
      onClick={() => void actOnApp(app, "stop")}
    />
  );
}
