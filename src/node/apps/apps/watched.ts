import type { Watched } from "../../watched.ts";
import type { Needs } from "./needs.ts";
import { listRunning } from "./service-store.ts";
import { listAppNames, listApps } from "./store.ts";

/** What alerts can be about of apps. */
export const watchApps = ({ db }: Pick<Needs, "db">): Watched => ({
  kinds: [
    {
      kind: "app",
      any: "any app",
      removed: "the app was uninstalled",
      stopped: "the app was stopped",
      vital: "cpu_percent",
      names: () => new Map(listAppNames(db).map(({ id, name }) => [id, name])),
      active: () => new Set(listApps(db).flatMap(({ id, status }) => (status === "stopped" ? [] : [id]))),
      speaking: () => new Set(listRunning(db).map(({ app_id }) => app_id)),
    },
  ],
  states: [
    { kind: "app", name: "app_crashed", label: "Crash", title: "An app crashed" },
    { kind: "app", name: "app_crash_loop", label: "Crash loop", title: "An app keeps crashing" },
  ],
});
