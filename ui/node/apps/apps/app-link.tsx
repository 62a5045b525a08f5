import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { Tile } from "../../../kit/icon.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { appState } from "./app-state.ts";

/** An app as icon, name and state, leading to its page. */
export function AppLink({ app }: { app: App }) {
  const { state, word } = appState(app);
  return (
    <a class="app" href={`/apps/${app.id}`}>
      <Tile icon={app.icon} hue={app.category} />
      <span class="col">
        <b class="cut">{app.display_name}</b>
        <span class={`row state ${state === "crit" || state === "warn" ? state : ""}`}>
          <Glyph state={state} />
          <span class="cut">{word}</span>
        </span>
      </span>
    </a>
  );
}
