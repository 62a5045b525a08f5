import { toIso } from "../../../lib/clock.ts";
import type { AppEvent, AppStatus } from "./contract.ts";
import type { Own } from "./needs.ts";
import { type AppTrigger, nextStatus } from "./status.ts";
import { type AppRow, findApp, updateApp } from "./store.ts";

type Deps = Pick<Own, "db" | "bus" | "clock" | "state">;

/** What an event tells about an app. */
export function appEvent(
  app: Pick<AppRow, "id" | "name" | "template">,
  status: AppStatus,
  by: AppEvent["by"] | null = null,
): AppEvent {
  const event = { app_id: app.id, name: app.name, template: app.template, status };
  if (!by) return event;
  // Nothing else that is known of whoever asked, such as their key.
  const { user_id, ip, purpose } = by;
  return { ...event, by: { user_id, ip, ...(purpose === undefined ? {} : { purpose }) } };
}

/** Something that the app list shows has changed. */
export function touchList({ db, state }: Pick<Deps, "db" | "state">): void {
  state.list_json = null;
  // Again after the commit: a reader may have filled the cache from before it.
  db.afterCommit(() => {
    state.list_json = null;
  });
}

/**
 * The only writer of an app's status. Applies `trigger` with further changes and tells the dashboard; returns null, and
 * changes nothing, when the app is gone or the trigger is not possible now.
 */
export function moveApp(
  deps: Deps,
  id: string,
  trigger: AppTrigger,
  change: Partial<
    Pick<AppRow, "cause" | "next_step" | "work" | "op_id" | "delete_data" | "installed_at" | "started_at">
  > = {},
): AppRow | null {
  const { db, bus, clock } = deps;
  return db.tx(() => {
    const app = findApp(db, id);
    const status = app && nextStatus(app.status, trigger);
    if (!app || !status) return null;
    const isUp = status === "running" || status === "degraded";
    // An app that is being updated runs on until it is stopped for it.
    const started_at = isUp ? (app.started_at ?? toIso(clock.now())) : status === "updating" ? app.started_at : null;
    const next: AppRow = { ...app, cause: null, next_step: null, started_at, ...change, status };
    const isSame = next.status === app.status && next.cause === app.cause && next.next_step === app.next_step;
    if (isSame && Object.keys(change).every((key) => key === "cause" || key === "next_step")) return app;
    updateApp(db, next);
    touchList(deps);
    if (status !== app.status || next.cause !== app.cause)
      bus.emit("app.status_changed", { id, status, cause: next.cause });
    return next;
  });
}
