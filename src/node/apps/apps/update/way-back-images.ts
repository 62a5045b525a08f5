import type { Own } from "../needs.ts";
import { findApp, listApps } from "../store.ts";
import { drawSide } from "./side.ts";
import { findUpdate, listKept, type Side } from "./update-store.ts";

/** The images of the versions that an app can go back to, and of those that an update under way needs. */
export function listWayBackImages(own: Pick<Own, "db" | "seal">): string[] {
  return listApps(own.db).flatMap(({ id }) => {
    const app = findApp(own.db, id);
    if (!app) return [];
    const update = findUpdate(own.db, id);
    const underWay: Side[] = update && update.ended_at === null ? [update.before, ...update.hops] : [];
    const kept = listKept(own.db, id).filter(({ can_return }) => can_return);
    const sides = [...underWay, ...kept.map(({ side }) => side)];
    return sides.flatMap((side) => drawSide(own, app, side).project.services.map(({ image }) => image));
  });
}
