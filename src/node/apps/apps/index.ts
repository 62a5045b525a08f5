/** Apps: what is installed from the catalogue, run on the Docker Engine, and kept true to its containers. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { mirrorFault, parseLogins } from "./image-reference.ts";
import { resumeWorks } from "./launch.ts";
import init from "./migrations/0001_apps.sql" with { type: "text" };
import { appRoutes } from "./routes.ts";
import { listApps } from "./store.ts";
import { purgeDueTrash } from "./trash.ts";
import { watchContainers } from "./watch.ts";

export { getApp, restartApp, startApp, stopApp } from "./begin-work.ts";
export { createDiskUseCache } from "./disk-use.ts";
export { installApp } from "./install.ts";
export { memoryLimitsOf } from "./limits.ts";
export { NODE_LABEL, nodeId, volumePrefix } from "./names.ts";
export { listRunning, listServices, type ServiceRow } from "./service-store.ts";
export { type AppState, createAppState } from "./state.ts";
export { type AppRow, countApps, listAppNames, listApps, listInstalled } from "./store.ts";

/** What is wrong with a list of logins; null when nothing is. */
function loginsFault(value: string): string | null {
  try {
    parseLogins(value);
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? "must be a JSON list" : String(error).replace(/^Error: /, "");
  }
}

export const apps = defineContextFeature<NodeContext>({
  name: "apps",
  migrations: [init],
  errors: fail.table,
  settings: {
    "apps.registry_mirror": {
      default: "",
      doc: "Registry to pull from instead of Docker Hub, such as mirror.lan:5000; ghcr.io=mirror.lan:5000/ghcr for others",
      check: mirrorFault,
    },
    "apps.registry_credentials": {
      default: "",
      doc: 'Registry logins as JSON: [{"registry":"docker.io","username":"…","password":"…"}]',
      secret: true,
      check: loginsFault,
    },
    "apps.publish_default": {
      default: "loopback",
      doc: "Who reaches the ports of a new app unless its template says otherwise: loopback or lan",
      check: (value) => (value === "loopback" || value === "lan" ? null : "must be loopback or lan"),
    },
  },
  routes: appRoutes,
  jobs: (ctx) => [
    { name: "apps.purge_trash", everyMs: hours(1), run: () => purgeDueTrash(ctx) },
    {
      name: "apps.resume",
      everyMs: seconds(15),
      run: () => {
        if (ctx.runtime.engine()) resumeWorks(ctx, listApps(ctx.db));
      },
    },
  ],
  subscribe: (ctx) => ctx.runtime.watch(watchContainers(ctx)),
  async stop({ apps }) {
    await Promise.all([...apps.works.values()].map(({ done }) => done));
  },
});
