import type { LoadedTemplate } from "../../templates/index.ts";
import { manifestOf } from "../blueprint/blueprint.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { type AppRow, findApp, listApps } from "../store.ts";
import { type ChoiceRow, findChoice } from "./choice-store.ts";
import { isNewer } from "./find-path.ts";
import { findUpdate } from "./update-store.ts";

/** The newest version of an app's template when it is newer than the app; null when it is not, or the template is gone. */
export async function findNewer({ templates }: Pick<Own, "templates">, app: AppRow): Promise<LoadedTemplate | null> {
  const newest = await templates.load(app.template).catch(() => null);
  return newest && isNewer(newest.manifest, manifestOf(app)) ? newest : null;
}

/** Whether the latest update of an app was to that version and went back by itself; it is not offered by itself again. */
export function hasFailed({ db }: Pick<Own, "db">, appId: string, { manifest }: LoadedTemplate): boolean {
  const last = findUpdate(db, appId);
  const aim = last?.kind === "update" && last.ended_at !== null && last.failure !== null ? last.hops.at(-1) : undefined;
  if (aim === undefined || aim.version !== manifest.version) return false;
  const tried: LoadedTemplate["manifest"] = JSON.parse(aim.manifest);
  return tried.revision === manifest.revision;
}

/** What somebody chose for that version of an app; a choice for another one says nothing. */
export function choiceFor(
  { db }: Pick<Own, "db">,
  appId: string,
  { manifest: { version, revision } }: LoadedTemplate,
): ChoiceRow | null {
  const choice = findChoice(db, appId);
  return choice?.version === version && choice.revision === revision ? choice : null;
}

/** Looks for newer versions of all apps. The catalogue is on this server, so that no registry is asked. */
export async function lookForUpdates(own: Pick<Own, "db" | "templates" | "state">): Promise<void> {
  for (const { id } of listApps(own.db)) {
    const app = findApp(own.db, id);
    if (!app) continue;
    const newest = await findNewer(own, app);
    const isOffered = newest && !hasFailed(own, id, newest) && choiceFor(own, id, newest)?.kind !== "skip";
    const version = isOffered ? newest.manifest.version : null;
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
