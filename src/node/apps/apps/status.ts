import type { AppStatus } from "./contract.ts";

/** What can happen to an app: asked for (`start` …), reported by its work (`work_…`), or seen at its containers (`saw_…`). */
export const APP_TRIGGERS = [
  "start",
  "stop",
  "restart",
  "configure",
  "retry",
  "uninstall",
  "update",
  "rollback",
  "work_running",
  "work_stopped",
  "work_starting",
  "work_rolling_back",
  "work_failed",
  "saw_running",
  "saw_degraded",
  "saw_stopped",
  "saw_error",
] as const;
export type AppTrigger = (typeof APP_TRIGGERS)[number];

const seen = { saw_running: "running", saw_degraded: "degraded", saw_stopped: "stopped", saw_error: "error" } as const;
const asked = {
  start: "starting",
  stop: "stopping",
  restart: "stopping",
  configure: "starting",
  uninstall: "uninstalling",
  update: "updating",
  rollback: "rolling_back",
} as const;
const { start, stop, restart, configure, uninstall, update, rollback } = asked;

/**
 * The whole life of an app. A trigger that a status does not list is not possible there. While work is under way only
 * that work (or an uninstall, which ends it) moves the app: containers that come and go then are the work's own doing.
 */
const TRANSITIONS: Record<AppStatus, Partial<Record<AppTrigger, AppStatus>>> = {
  installing: { work_running: "running", work_failed: "error", uninstall },
  running: { ...seen, stop, restart, configure, uninstall, update, rollback },
  degraded: { ...seen, start, stop, restart, configure, uninstall, update, rollback },
  stopped: { ...seen, start, restart: "starting", uninstall, update, rollback },
  error: { ...seen, start, stop, restart, configure, retry: "installing", uninstall, update, rollback },
  starting: { work_running: "running", work_failed: "error", uninstall },
  stopping: { work_stopped: "stopped", work_starting: "starting", work_failed: "error", uninstall },
  updating: {
    work_running: "running",
    work_stopped: "stopped",
    work_rolling_back: "rolling_back",
    work_failed: "error",
    uninstall,
  },
  rolling_back: {
    work_running: "running",
    work_stopped: "stopped",
    work_rolling_back: "rolling_back",
    work_failed: "error",
    uninstall,
  },
  uninstalling: { work_failed: "error" },
};

/** The status that `trigger` leads to; null when it is not possible now. */
export function nextStatus(status: AppStatus, trigger: AppTrigger): AppStatus | null {
  return TRANSITIONS[status][trigger] ?? null;
}

/** True while some work holds the app. */
export function isBusy(status: AppStatus): boolean {
  return !["running", "stopped", "degraded", "error"].includes(status);
}
