import type { State } from "../../../../kit/status.tsx";

/** How the state of an app on a node looks. */
export interface AppLook {
  state: State;
  word: string;
  /** Whether it makes its node degraded. */
  isFailed: boolean;
}

const looks: Record<string, AppLook> = {
  running: { state: "ok", word: "Running", isFailed: false },
  restarting: { state: "warn", word: "Restarting", isFailed: true },
  dead: { state: "crit", word: "Dead", isFailed: true },
  crashed: { state: "crit", word: "Crashed", isFailed: true },
  stopped: { state: "off", word: "Stopped", isFailed: false },
  exited: { state: "off", word: "Stopped", isFailed: false },
  created: { state: "off", word: "Not started", isFailed: false },
  paused: { state: "off", word: "Paused", isFailed: false },
};

/** Shape and word of an app's state; one that this page does not know is shown as it is. */
export function appLook(status: string): AppLook {
  return looks[status] ?? { state: "unknown", word: status, isFailed: false };
}
