import type { ComponentChildren } from "preact";
import { duration } from "../../client/format.ts";
import { IconButton } from "../../kit/button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Popover } from "../../kit/menu.tsx";
import { LookPanel } from "../../parts/look-panel.tsx";
import { SignInSky } from "../../parts/signin-sky.tsx";
import { OfflineBar } from "../../shell/offline-bar.tsx";
import { lockInfo } from "../client/session.ts";

/** The page of whoever is not in yet: rings behind, appearance above, what anybody may know below. */
export function Gate({ children, named = false }: { children: ComponentChildren; named?: boolean }) {
  const info = lockInfo.value;
  return (
    <div class="gatepage">
      <SignInSky count={info?.apps_in_orbit ?? 0} />
      <header class="bar-top">
        {named && (
          <span class="row w6">
            <Icon name="mark" />
            {info?.hostname}
          </span>
        )}
        <OfflineBar />
        <span class="push">
          <Popover
            role="dialog"
            label="Appearance"
            trigger={(props) => <IconButton {...props} icon="palette" label="Appearance" />}
          >
            {() => (
              <div class="lookmenu">
                <LookPanel />
              </div>
            )}
          </Popover>
        </span>
      </header>
      {children}
      <footer class="foot">
        {info !== null && (
          <>
            <span>
              Up <b>{duration(info.uptime_seconds)}</b>
            </span>
            <span>
              <b>
                {info.apps_in_orbit} {info.apps_in_orbit === 1 ? "app" : "apps"}
              </b>{" "}
              in orbit
            </span>
            <span>Orrery {info.version}</span>
          </>
        )}
      </footer>
    </div>
  );
}

/** The mark and one sentence, above a form of the gate. */
export function Hello({ children }: { children: ComponentChildren }) {
  return (
    <div class="hello">
      <Icon name="mark" />
      <h1 class="t22">{children}</h1>
    </div>
  );
}
