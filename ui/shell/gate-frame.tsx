import type { ComponentChildren } from "preact";
import { IconButton } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { Popover } from "../kit/menu.tsx";
import { LookPanel } from "../parts/look-panel.tsx";
import { SignInSky } from "../parts/signin-sky.tsx";
import { OfflineBar } from "./offline-bar.tsx";

interface GateFrameProps {
  /** How many bodies circle in the background. */
  count: number;
  /** At the top left. */
  mark?: ComponentChildren;
  /** What anybody may know, below. */
  foot: ComponentChildren;
  children: ComponentChildren;
}

/** The page of whoever is not in yet: rings behind, appearance above. */
export function GateFrame({ count, mark, foot, children }: GateFrameProps) {
  return (
    <div class="gatepage">
      <SignInSky count={count} />
      <header class="bar-top">
        {mark}
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
      <footer class="foot">{foot}</footer>
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
