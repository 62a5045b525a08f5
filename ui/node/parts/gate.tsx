import type { ComponentChildren } from "preact";
import { duration } from "../../client/format.ts";
import { Icon } from "../../kit/icon.tsx";
import { GateFrame } from "../../shell/gate-frame.tsx";
import { lockInfo } from "../client/session.ts";

export { Hello } from "../../shell/gate-frame.tsx";

interface GateProps {
  children: ComponentChildren;
  named?: boolean;
  /** For people who have no account here and get none: nothing is said of the server. */
  silent?: boolean;
}

/** The page of whoever is not in yet, with what anybody who may sign in may know of the server below. */
export function Gate({ children, named = false, silent = false }: GateProps) {
  const info = silent ? null : lockInfo.value;
  const mark = named && (
    <span class="row w6">
      <Icon name="mark" />
      {info?.hostname}
    </span>
  );
  const foot = info !== null && (
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
  );
  return (
    <GateFrame count={info?.apps_in_orbit ?? 0} mark={mark} foot={foot}>
      {children}
    </GateFrame>
  );
}
