import type { Asker } from "../../platform/operations/index.ts";
import { EngineFailure } from "../engine/index.ts";
import { AppFault, isOfApp } from "./app-fault.ts";
import type { Backup } from "./contract.ts";
import { asSentence, causeOf, codeOf, explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";

/** An app that is not in a backup, for a fault of its own, which says whose it is. */
export interface LeftOut {
  app: string;
  error: Error;
}

/** What a backup says of whose it is. */
export const eventOf = ({ id, target, apps }: Backup, by: Asker | null) => ({
  backup_id: id,
  target,
  apps,
  ...(by === null ? {} : { by }),
});

/** Catches what is in the way of copying one app alone. Throws any other error; `engine` is the one that was there before. */
export function leaveOut(own: Own, app: string): (error: unknown) => Promise<LeftOut> {
  const engine = own.runtime.engine();
  const name = nameOf(own, app) ?? "An app that is gone";
  return async (error) => {
    if (!(await isOfApp(own, engine, error))) throw error;
    const why = causeOf(error);
    const text = `${name}: ${why.startsWith(`${name} `) ? `it${why.slice(name.length)}` : why}`;
    own.log.warn("an app is left out of a backup", { app, error });
    return {
      app,
      error: codeOf(error) === "tree_hollow" ? new EngineFailure("tree_hollow", text) : new AppFault(text),
    };
  };
}

const nameOf = ({ apps }: Own, id: string): string | undefined => apps.list().find((app) => app.id === id)?.name;

/** Tells of each app whether it is in a backup that is over, as far as the backup can say. */
export function tellApps(own: Own, { id: backup_id, status, apps }: Backup, left: readonly LeftOut[]): void {
  if (status === "completed") for (const app_id of apps) own.bus.emit("backup.app_stored", { backup_id, app_id });
  for (const { app: app_id, error } of left) {
    const name = nameOf(own, app_id);
    if (name !== undefined) own.bus.emit("backup.app_left_out", { backup_id, app_id, name, cause: error.message });
  }
}

/** Tells that a backup is there, and which of its apps are not in it. */
export function tellLeftOut(own: Own, by: Asker | null, backup: Backup, stored: string[], error: Error): Failure {
  const apps = backup.apps.filter((id) => !stored.includes(id));
  const { message, ...rest } = explain(error);
  const cause = `${asSentence(message)} All else is in the backup.`;
  own.db.record(() => own.bus.emit("backup.failed", { ...eventOf({ ...backup, apps }, by), cause }));
  return { ...rest, message: cause };
}
