import type { ComponentChildren } from "preact";
import { IconButton } from "../../kit/button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Popover } from "../../kit/menu.tsx";
import { LookPanel } from "../../parts/look-panel.tsx";
import { SignInSky } from "../../parts/signin-sky.tsx";
import { OfflineBar } from "../../shell/offline-bar.tsx";

/** The page of whoever is not in yet: rings behind, appearance above. */
export function Gate({ children }: { children: ComponentChildren }) {
  return (
    <div class="gatepage">
      <SignInSky count={12} />
      <header class="bar-top">
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
        <span>Orrery panel</span>
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
