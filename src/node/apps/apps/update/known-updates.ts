import type { LoadedTemplate } from "../../templates/index.ts";
import { manifestOf } from "../blueprint/blueprint.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { type AppRow, findApp, listApps } from "../store.ts";
import { isNewer } from "./find-path.ts";

/** The newest version of an app's template when it is newer than the app; null when it is not, or the template is gone. */
export async function findNewer({ templates }: Pick<Own, "templates">, app: AppRow): Promise<LoadedTemplate | null> {
  const newest = await templates.load(app.template).catch(() => null);
  return newest && isNewer(newest.manifest, manifestOf(app)) ? newest : null;
}

/** Looks for newer versions of all apps. The catalogue is on this server, so that no registry is asked. */
export async function lookForUpdates(own: Own): Promise<void> {
  for (const { id } of listApps(own.db)) {
    const app = findApp(own.db, id);
    if (!app) continue;
    const version = (await findNewer(own, app))?.manifest.version ?? null;
    if ((own.state.updates.get(id) ?? null) === version) continue;
    if (version === null) own.state.updates.delete(id);
    else own.state.updates.set(id, version);
    touchList(own);
  }
}

/** What was known of an app's updates is old. */
export function forgetUpdates(own: Own, appId: string): void {
  own.state.updates.delete(appId);
  touchList(own);
  own.db.afterCommit(
    () => void lookForUpdates(own).catch((error: unknown) => own.log.warn("no look for updates", { error })),
  );
}
